import ObjectGraph
import SQLiteStore
import StoreInspection

/// Listings and SQL results as files of any length.
struct Downloads {
    let session: ReadSession

    private var store: SQLiteStore { session.store }

    /// - Returns: `nil` for other addresses.
    /// - Throws: `Problem`, and errors of reading.
    func response(_ route: inout Route, _ query: Fields) throws -> WebResponse? {
        guard let format = route.ending.flatMap(DownloadFormat.init), route.take("download") else { return nil }
        if route.take("rows") { return try rows(&route, query, format) }
        guard route.take("sql"), route.take("result"), format == .csv else { throw Problem.nothingHere }
        try route.end()
        return try result(query)
    }

    // MARK: Rows

    /// All rows of the listing, with exact values.
    private func rows(_ route: inout Route, _ query: Fields, _ format: DownloadFormat) throws -> WebResponse {
        let name = try route.next()
        try route.end()
        try query.check(RowsParameters.choosingNames + ["sort"], repeated: ["column"])
        let parameters = try RowsParameters(name, query)
        let file = try store.reading { reading in
            let reading = reading.markingUnreadable()
            var rows = try parameters.query(store, reading)
            let entity = store.model[rows.entityIndex]
            rows.sort = try parameters.sort.map { try PropertyPath.sortKeys($0, on: entity, in: store.model) } ?? []
            let listing = try RowListing(
                rows, in: store.model, columns: parameters.columns, style: .exact, detail: .addresses)
            return try SpooledText { write in
                switch format {
                case .csv: try Self.writeCSV(listing, reading, write)
                case .json: try Self.writeJSON(listing, reading, write)
                }
            }
        }
        let entity = try store.model.inspectedEntity(name)
        return .download(file, type: format.type, name: "\(entity.name).\(format.rawValue)")
    }

    private static func writeCSV(
        _ listing: RowListing, _ reading: StoreReading, _ write: (String) throws -> Void
    ) throws {
        try write(InspectedValue.csvLine(listing.columns.map(InspectedValue.text)) + "\r\n")
        try listing.forEachPage(reading) { rows in
            for row in rows { try write(InspectedValue.csvLine(row.map(\.value)) + "\r\n") }
        }
    }

    /// Writes a JSON array with one object a line.
    private static func writeJSON(
        _ listing: RowListing, _ reading: StoreReading, _ write: (String) throws -> Void
    ) throws {
        var isFirst = true
        try write("[")
        try listing.forEachPage(reading) { rows in
            for row in rows {
                try write((isFirst ? "\n" : ",\n") + InspectedValue.fields(row).json())
                isFirst = false
            }
        }
        try write(isFirst ? "]\n" : "\n]\n")
    }

    // MARK: SQL

    private func result(_ query: Fields) throws -> WebResponse {
        try query.check(["statement"])
        guard let statement = query["statement"] else {
            throw Problem(.badRequest, "Not understood", "There is no statement.")
        }
        let file = try SpooledText { write in
            try SQLRun(store).forEachRow(of: statement) { columns in
                try write(InspectedValue.csvLine(columns.map(InspectedValue.text)) + "\r\n")
            } row: { cells in
                try write(InspectedValue.csvLine(cells.map(SQLRun.exact)) + "\r\n")
                return true
            }
        }
        return .download(file, type: DownloadFormat.csv.type, name: "result.csv")
    }
}
