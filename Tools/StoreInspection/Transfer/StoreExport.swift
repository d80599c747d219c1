import Foundation
import ObjectGraph
import SQLiteStore

/// Writes a store's rows as JSON or CSV in a form that `RowImport` can read completely. Keeps one page of rows in
/// memory, and the links of a part of the page.
///
/// To-one relationships are written with the row that has the foreign key. To-many relationships are written if no
/// to-one relationship expresses the same links (many-to-many ones at both ends), and if they are ordered.
package struct StoreExport: Sendable {
    package static let formatName = "modelstore"
    package static let formatVersion: Int64 = 1

    private let model: Model
    private let entities: [Entity]
    private let predicate: QueryExpression?
    private let identifier: String
    private let rendering: RowRendering

    private static let pageSize = 500

    /// - Parameters:
    ///   - names: entities to write, including their subentities; empty for all.
    ///   - predicate: applies to the single named entity.
    /// - Throws: `InspectionError`, and errors of parsing the predicate.
    package init(_ model: Model, entities names: [String], predicate: String?, identifier: String) throws {
        self.model = model
        self.identifier = identifier
        rendering = RowRendering(model, .exact)
        let wanted = try names.map { try model.inspectedEntity($0) }
        let indexes = Set(wanted.flatMap(\.familyIndexes))
        entities = ModelOutline.sorted(model).filter {
            (wanted.isEmpty || indexes.contains($0.index)) && !$0.isAbstract
        }
        self.predicate = try wanted.first.flatMap { entity in
            try predicate.map { try TypedPredicate.expression($0, on: entity, in: model) }
        }
    }

    package func count(_ reading: StoreReading) throws -> Int {
        try entities.reduce(0) { try $0 + reading.count(query($1)) }
    }

    private func query(_ entity: Entity) -> Query {
        var query = Query(entityIndex: entity.index, predicate: predicate)
        query.includesSubentities = false
        return query
    }

    private func linked(_ entity: Entity) -> [EntityRelationship] {
        entity.toManyRelationships.filter { relationship in
            guard !relationship.relationship.isTransient else { return false }
            return relationship.relationship.isOrdered || !(model.inverse(of: relationship)?.isToOne ?? false)
        }
    }

    private func forEachRow(
        _ entity: Entity, _ reading: StoreReading, _ body: ([InspectedField]) throws -> Void
    ) throws {
        let relationships = linked(entity)
        let rendering = rendering.marking(reading)
        var parts = LinkedParts()
        try reading.forEachPage(of: query(entity), size: Self.pageSize) { page in
            try parts.forEachPart(of: page) { rows in
                let members = try relationships.map {
                    try reading.members(of: $0, entityIndex: entity.index, owners: rows.map(\.id))
                }
                for row in rows {
                    var fields = rendering.fields(of: row)
                    for (relationship, found) in zip(relationships, members) {
                        fields.append(InspectedField(relationship.name, .texts((found[row.id] ?? []).map(\.address))))
                    }
                    try body(fields)
                }
                return members.reduce(0) { $0 + $1.linkCount }
            }
        }
    }

    // MARK: JSON

    /// - Parameters:
    ///   - lines: whether to write one object a line, which names its entity, instead of one document.
    ///   - progress: called with the number of rows written so far; throws to stop.
    package func writeJSON(
        _ reading: StoreReading, lines: Bool, progress: (Int) throws -> Void, to write: (String) throws -> Void
    ) throws {
        var done = 0
        if !lines {
            let head = InspectedValue.text(identifier).json()
            try write(
                "{\n  \"format\": \"\(Self.formatName)\",\n  \"version\": \(Self.formatVersion),\n"
                    + "  \"store\": \(head),\n  \"entities\": {")
        }
        for (place, entity) in entities.enumerated() {
            if !lines { try write("\(place == 0 ? "" : ",")\n    \(InspectedValue.text(entity.name).json()): [") }
            var isFirst = true
            try forEachRow(entity, reading) { fields in
                if lines {
                    let line = [InspectedField(RowRendering.entityField, .text(entity.name))] + fields
                    try write(InspectedValue.fields(line).json() + "\n")
                } else {
                    try write("\(isFirst ? "" : ",")\n      \(InspectedValue.fields(fields).json())")
                }
                isFirst = false
                done += 1
                if done % Self.pageSize == 0 { try progress(done) }
            }
            if !lines { try write(isFirst ? "]" : "\n    ]") }
        }
        if !lines { try write("\n  }\n}\n") }
    }

    // MARK: CSV

    /// - Parameter folder: created by this function; must not exist, or be empty.
    package func writeCSV(_ reading: StoreReading, to folder: URL, progress: (Int) throws -> Void) throws {
        let files = FileManager.default
        if let present = try? files.contentsOfDirectory(atPath: folder.path), !present.isEmpty {
            throw InspectionError.alreadyThere(folder.path)
        }
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw InspectionError.badInput("The folder \(folder.path) cannot be made: \(error.localizedDescription)")
        }
        var done = 0
        for entity in entities {
            let file = try TextFile(folder.appendingPathComponent(entity.name + ".csv"))
            try writeCSV(of: entity, reading, done: &done, progress) { try file.write($0) }
            try file.finish()
        }
    }

    /// Writes the rows of the only entity.
    /// - Throws: `InspectionError.badInput` if it has subentities, whose columns differ.
    package func writeCSV(
        _ reading: StoreReading, progress: (Int) throws -> Void, to write: (String) throws -> Void
    ) throws {
        guard let entity = entities.first, entities.count == 1 else {
            let names = entities.map(\.name).joined(separator: ", ")
            throw InspectionError.badInput(
                "CSV of several entities (\(names)) is a folder with a file for each of them: give --output.")
        }
        var done = 0
        try writeCSV(of: entity, reading, done: &done, progress, write)
    }

    private func writeCSV(
        of entity: Entity, _ reading: StoreReading, done: inout Int, _ progress: (Int) throws -> Void,
        _ write: (String) throws -> Void
    ) throws {
        let columns = columns(of: entity)
        try write(InspectedValue.csvLine(columns.map(InspectedValue.text)) + "\r\n")
        try forEachRow(entity, reading) { fields in
            let flat = Dictionary(
                Self.flattened(fields).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            try write(InspectedValue.csvLine(columns.map { flat[$0] ?? .none }) + "\r\n")
            done += 1
            if done % Self.pageSize == 0 { try progress(done) }
        }
    }

    private func columns(of entity: Entity) -> [String] {
        let attributes = entity.attributes.filter { !$0.attribute.isTransient }.flatMap { Self.columns($0.attribute) }
        let toOne = entity.toOneRelationships.filter { !$0.relationship.isTransient }.map(\.name)
        return [RowRendering.idField] + attributes + toOne + linked(entity).map(\.name)
    }

    /// The columns of an attribute; one such as `author.person` for each leaf of a composite.
    private static func columns(_ attribute: Attribute) -> [String] {
        guard attribute.type == .composite else { return [attribute.name] }
        if attribute.elements.count == 1, attribute.elements.first?.name == attribute.name { return [attribute.name] }
        return attribute.elements.flatMap { columns($0).map { "\(attribute.name).\($0)" } }
    }

    private static func flattened(_ fields: [InspectedField]) -> [InspectedField] {
        fields.flatMap { field -> [InspectedField] in
            guard let inner = field.value.fieldsValue, field.value.lostMark == nil else { return [field] }
            return flattened(inner).map { InspectedField("\(field.name).\($0.name)", $0.value) }
        }
    }
}
