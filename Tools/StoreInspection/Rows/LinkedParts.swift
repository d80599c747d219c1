import ObjectGraph

/// Splits rows into parts whose links fit into memory, however many links a row has. The number of links in one part
/// determines the number of rows in the next.
struct LinkedParts {
    /// The intended maximum number of links in a part.
    private static let wantedLinks = 8192
    /// The maximum growth factor from one part to the next.
    private static let growth = 4
    private var rowCount = 1

    /// - Parameter body: returns the number of links of the rows; throws to stop.
    mutating func forEachPart<Row>(of rows: [Row], _ body: (ArraySlice<Row>) throws -> Int) rethrows {
        var rest = rows[...]
        while !rest.isEmpty {
            let part = rest.prefix(rowCount)
            rest = rest.dropFirst(part.count)
            let linkCount = try body(part)
            let fitting = Self.wantedLinks * part.count / max(1, linkCount)
            rowCount = max(1, min(fitting, part.count * Self.growth))
        }
    }
}

extension [ObjectID: [ObjectID]] {
    /// The total number of links of all owners.
    var linkCount: Int { values.reduce(0) { $0 + $1.count } }
}
