import Foundation

/// Rows as a file of JSON, ndjson or CSV has them, before a model gives them meaning.
package struct ImportedContent: Sendable {
    package struct Row: Sendable {
        package let entity: String
        /// What other rows of the same content call it.
        package let id: String?
        package let fields: [InspectedField]
        /// Where it was, for messages.
        package let place: String
    }

    package private(set) var rows: [Row] = []

    /// - Throws: `InspectionError.badInput`, `JSONReadingError`.
    package init(_ url: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw InspectionError.badInput("There is nothing at \(url.path) to import.")
        }
        if isFolder.boolValue {
            try readFolder(url)
        } else if url.pathExtension.lowercased() == "csv" {
            try readCSV(url)
        } else {
            try readJSON(try Self.data(url))
        }
    }

    /// Rows of each entity, in the order they first come.
    package var counts: [(entity: String, count: Int)] {
        var places: [String: Int] = [:]
        var counts: [(entity: String, count: Int)] = []
        for row in rows {
            if let place = places[row.entity] {
                counts[place].count += 1
            } else {
                places[row.entity] = counts.count
                counts.append((row.entity, 1))
            }
        }
        return counts
    }

    private static func data(_ url: URL) throws -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            throw InspectionError.badInput("\(url.path) cannot be read: \(error.localizedDescription)")
        }
    }

    // MARK: JSON

    private mutating func readJSON(_ data: Data) throws {
        do {
            return try readDocument(try JSONReading.value(data))
        } catch let error as JSONReadingError {
            // Several values, one in each line, are no document.
            guard error.reason == "something follows the value" else { throw error }
        }
        for (number, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
            do {
                try add(try JSONReading.value(Data(line)), entity: nil, place: "line \(number + 1)")
            } catch let error as JSONReadingError {
                throw InspectionError.badInput(
                    "Line \(number + 1): The JSON cannot be read: \(error.reason), at byte \(error.offset).")
            }
        }
    }

    private mutating func readDocument(_ document: InspectedValue) throws {
        if let list = document.listValue {
            for (number, value) in list.enumerated() { try add(value, entity: nil, place: "object \(number + 1)") }
            return
        }
        if document[RowRendering.entityField] != nil { return try add(document, entity: nil, place: "the object") }
        guard let entities = document["entities"]?.fieldsValue else {
            throw InspectionError.badInput(
                "The JSON has no field 'entities', nor is it a list of objects with '\(RowRendering.entityField)'; "
                    + "`modelstore export` writes what can be imported.")
        }
        if let version = document["version"], version != .integer(StoreExport.formatVersion) {
            throw InspectionError.badInput("The export is of another version than this command reads; use a later one.")
        }
        for entity in entities {
            guard let list = entity.value.listValue else {
                throw InspectionError.badInput("'\(entity.name)' is no list of objects.")
            }
            for (number, value) in list.enumerated() {
                try add(value, entity: entity.name, place: "object \(number + 1) of '\(entity.name)'")
            }
        }
    }

    private mutating func add(_ value: InspectedValue, entity: String?, place: String) throws {
        guard let fields = value.fieldsValue else { throw InspectionError.badInput("There is no object at \(place).") }
        guard let name = entity ?? value[RowRendering.entityField]?.textValue else {
            throw InspectionError.badInput(
                "The object at \(place) does not name its entity ('\(RowRendering.entityField)').")
        }
        rows.append(
            Row(entity: name, id: value[RowRendering.idField]?.textValue, fields: Self.own(fields), place: place))
    }

    /// Without the fields that are no properties.
    private static func own(_ fields: [InspectedField]) -> [InspectedField] {
        fields.filter { !$0.name.hasPrefix("$") }
    }

    // MARK: CSV

    private mutating func readFolder(_ folder: URL) throws {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.lowercased().hasSuffix(".csv") }.sorted()
        guard !names.isEmpty else { throw InspectionError.badInput("There are no CSV files in \(folder.path).") }
        for name in names { try readCSV(folder.appendingPathComponent(name)) }
    }

    private static func csvLines(_ url: URL) throws -> [[String?]] {
        do {
            return try CSVReading.lines(try data(url))
        } catch let error as CSVReadingError {
            throw InspectionError.badInput("\(url.lastPathComponent): \(error)")
        }
    }

    /// The file's name is the entity's.
    private mutating func readCSV(_ url: URL) throws {
        let entity = url.deletingPathExtension().lastPathComponent
        let lines = try Self.csvLines(url)
        guard let head = lines.first else { return }
        let names = head.map { $0 ?? "" }
        for (number, line) in lines.dropFirst().enumerated() {
            guard line.count == names.count else {
                throw InspectionError.badInput(
                    "Row \(number + 1) of \(url.lastPathComponent) has \(line.count) cells; its head has \(names.count)."
                )
            }
            let fields = zip(names, line).map { InspectedField($0, .optional($1)) }
            let id = fields.first { $0.name == RowRendering.idField }?.value.textValue
            rows.append(
                Row(
                    entity: entity, id: id, fields: Self.own(fields),
                    place: "row \(number + 1) of \(url.lastPathComponent)"))
        }
    }
}
