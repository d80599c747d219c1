import Foundation

/// A row as read from JSON, ndjson or CSV, before it is mapped to a model.
package struct ImportedRow: Sendable {
    package let entity: String
    /// The name by which other rows of the source refer to it.
    package let id: String?
    package let fields: [InspectedField]
    /// The position in the source, for messages.
    package let place: String
}

/// The rows of a file, or of a folder of CSV files. Can be read several times, one row at a time.
package struct ImportSource: Sendable {
    private let files: [URL]
    /// The total size of all files, in bytes.
    package let size: Int64

    /// - Throws: `InspectionError.badInput`.
    package init(_ url: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw InspectionError.badInput("There is nothing at \(url.path) to import.")
        }
        files = isFolder.boolValue ? try Self.tables(in: url) : [url]
        size = files.reduce(0) { $0 + Self.size($1) }
    }

    private static func tables(in folder: URL) throws -> [URL] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.lowercased().hasSuffix(".csv") }.sorted()
        guard !names.isEmpty else { throw InspectionError.badInput("There are no CSV files in \(folder.path).") }
        return names.map { folder.appendingPathComponent($0) }
    }

    private static func size(_ url: URL) -> Int64 {
        // Resolves symbolic links: the size of a link itself is the length of its path.
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// - Parameters:
    ///   - progress: called at intervals with the bytes read so far, also while a pipe has no data; throws to stop.
    ///   - body: throws to stop.
    /// - Throws: `InspectionError.badInput`, `JSONReadingError`, and errors of the closures.
    package func forEachRow(
        progress: @escaping (Int64) throws -> Void = { _ in }, _ body: (ImportedRow) throws -> Void
    ) throws {
        var before: Int64 = 0
        var count = 0
        for file in files {
            let start = before
            let bytes = try ByteReader(file) { try progress(start + $0) }
            try Self.forEachRow(of: file, bytes) { row in
                count += 1
                if count % 256 == 0 { try progress(before + bytes.offset) }
                try body(row)
            }
            before += Self.size(file)
        }
    }

    private static func forEachRow(
        of file: URL, _ bytes: ByteReader, _ body: (ImportedRow) throws -> Void
    ) throws {
        if file.pathExtension.lowercased() == "csv" {
            try CSVRows(file).forEachRow(CSVReading(bytes), body)
        } else {
            try JSONRows(JSONStream(bytes: bytes)).forEachRow(body)
        }
    }

    /// Removes fields that are no properties.
    fileprivate static func own(_ fields: [InspectedField]) -> [InspectedField] {
        fields.filter { !$0.name.hasPrefix("$") }
    }
}

/// The rows of one entity; the file's name is the entity's.
private struct CSVRows {
    private let name: String
    private let entity: String

    init(_ file: URL) {
        name = file.lastPathComponent
        entity = file.deletingPathExtension().lastPathComponent
    }

    func forEachRow(_ reading: CSVReading, _ body: (ImportedRow) throws -> Void) throws {
        var reading = reading
        guard let head = try next(&reading) else { return }
        let names = head.map { $0 ?? "" }
        var number = 0
        while let line = try next(&reading) {
            number += 1
            guard line.count == names.count else {
                throw InspectionError.badInput(
                    "Row \(number) of \(name) has \(line.count) cells; its head has \(names.count).")
            }
            let fields = zip(names, line).map { InspectedField($0, .optional($1)) }
            let id = fields.first { $0.name == RowRendering.idField }?.value.textValue
            try body(
                ImportedRow(
                    entity: entity, id: id, fields: ImportSource.own(fields), place: "row \(number) of \(name)"))
        }
    }
}

extension CSVRows {
    private func next(_ reading: inout CSVReading) throws -> [String?]? {
        do {
            return try reading.next()
        } catch let error as CSVReadingError {
            throw InspectionError.badInput("\(name): \(error)")
        }
    }
}

/// Rows as `StoreExport` writes them: one document, or objects that name their entity, in a list or one after the
/// other.
private struct JSONRows {
    private let stream: JSONStream

    init(_ stream: JSONStream) { self.stream = stream }

    func forEachRow(_ body: (ImportedRow) throws -> Void) throws {
        guard let first = try stream.peek() else {
            throw InspectionError.badInput("The file is empty; `modelstore export` writes what can be imported.")
        }
        guard first != UInt8(ascii: "[") else {
            try stream.forEachElement { number in
                try add(try stream.value(), entity: nil, place: "object \(number)", body)
            }
            return try expectEnd()
        }
        while try stream.peek() != nil {
            try object(place: "line \(stream.bytes.line)", body)
        }
    }

    private func expectEnd() throws {
        guard try stream.peek() == nil else {
            throw InspectionError.badInput("The JSON cannot be read: something follows the list.")
        }
    }

    /// Reads a row, or a document of rows by entity; the first field distinguishes them.
    private func object(place: String, _ body: (ImportedRow) throws -> Void) throws {
        var fields: [InspectedField] = []
        var isDocument = false
        try stream.forEachField { name in
            let namesEntity = fields.contains { $0.name == RowRendering.entityField }
            guard name == "entities", !namesEntity, try stream.peek() == UInt8(ascii: "{") else {
                fields.append(InspectedField(name, try stream.value()))
                return
            }
            isDocument = true
            try Self.checkVersion(fields)
            try readEntities(body)
        }
        if isDocument { return try Self.checkVersion(fields) }
        let value = InspectedValue.fields(fields)
        guard value[RowRendering.entityField] != nil else {
            throw InspectionError.badInput(
                "The JSON has no field 'entities', nor does the object at \(place) name its entity "
                    + "('\(RowRendering.entityField)'); `modelstore export` writes what can be imported.")
        }
        try add(value, entity: nil, place: place, body)
    }

    private static func checkVersion(_ fields: [InspectedField]) throws {
        guard let version = InspectedValue.fields(fields)["version"], version != .integer(StoreExport.formatVersion)
        else { return }
        throw InspectionError.badInput("The export is of another version than this command reads; use a later one.")
    }

    private func readEntities(_ body: (ImportedRow) throws -> Void) throws {
        try stream.forEachField { entity in
            guard try stream.peek() == UInt8(ascii: "[") else {
                throw InspectionError.badInput("'\(entity)' is no list of objects.")
            }
            try stream.forEachElement { number in
                try add(try stream.value(), entity: entity, place: "object \(number) of '\(entity)'", body)
            }
        }
    }

    private func add(
        _ value: InspectedValue, entity: String?, place: String, _ body: (ImportedRow) throws -> Void
    ) throws {
        guard let fields = value.fieldsValue else { throw InspectionError.badInput("There is no object at \(place).") }
        guard let name = entity ?? value[RowRendering.entityField]?.textValue else {
            throw InspectionError.badInput(
                "The object at \(place) does not name its entity ('\(RowRendering.entityField)').")
        }
        try body(
            ImportedRow(
                entity: name, id: value[RowRendering.idField]?.textValue, fields: ImportSource.own(fields), place: place
            ))
    }
}
