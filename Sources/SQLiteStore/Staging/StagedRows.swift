import Foundation
import ObjectGraph

/// New rows that are collected before any of them is written. Links among them may refer to rows that are added later.
///
/// They are stored in a separate SQLite database in temporary files, so that memory does not grow with their number. Used
/// by one thread.
package final class StagedRows {
    let model: Model
    let connection: Connection
    /// Counts by entity index.
    private var counts: [Int]
    /// Counts of each hierarchy's rows, by the index of its root.
    private var hierarchyCounts: [Int]
    /// The number of links given by an end that does not determine their order.
    var laterLinkCount: Int64 = 0
    /// Kept, because they run for every row.
    private let insertion: Statement
    private let naming: Statement
    private let search: Statement
    let referring: Statement

    /// The identity of a staged row.
    package struct Row: Hashable, Sendable {
        package let entityIndex: Int
        /// The position among the rows of its hierarchy, in the order in which they were added.
        let place: Int64

        static let placeBits: Int64 = 40

        /// The number in the tables: ordered by entity, then place.
        var number: Int64 { Int64(entityIndex) << Self.placeBits | place }

        init(entityIndex: Int, place: Int64) {
            self.entityIndex = entityIndex
            self.place = place
        }

        init(number: Int64) {
            entityIndex = Int(number >> Self.placeBits)
            place = number & ((1 << Self.placeBits) - 1)
        }
    }

    /// The destinations that a row gives for one of its relationships, by name.
    package struct GivenLink {
        package let relationshipIndex: Int
        package let names: [String]

        package init(relationshipIndex: Int, names: [String]) {
            self.relationshipIndex = relationshipIndex
            self.names = names
        }
    }

    /// - Throws: `SQLiteError`.
    package init(_ model: Model) throws {
        self.model = model
        counts = Array(repeating: 0, count: model.indexLimit)
        hierarchyCounts = counts
        connection = try Connection(.temporary, access: .create)
        for statement in StagingTables.createStatements { try connection.execute(statement) }
        // Never committed: the database is private and is removed with the connection.
        try connection.execute("BEGIN")
        insertion = try connection.prepare(StagingTables.insertRow)
        naming = try connection.prepare(StagingTables.insertName)
        search = try connection.prepare(StagingTables.selectName)
        referring = try connection.prepare(StagingTables.insertReference)
    }

    package var count: Int { counts.reduce(0, +) }

    package func count(of entity: Entity) -> Int { counts[entity.index] }

    /// Returns the number of rows of a whole hierarchy.
    func count(below root: Entity) -> Int { hierarchyCounts[root.index] }

    /// - Parameters:
    ///   - name: The name by which links refer to the row.
    ///   - origin: Where the row was found, for messages.
    ///   - values: The values in slot order; those of to-one relationships are null.
    /// - Returns: Whether the row was added; it is not if another row has the name.
    /// - Throws: `SQLiteError`.
    package func add(
        _ entity: Entity, name: String?, origin: String, values: [Value], links: [GivenLink]
    ) throws -> Bool {
        let row = Row(entityIndex: entity.index, place: Int64(hierarchyCounts[entity.rootIndex]))
        if let name, try !claim(name, for: row) { return false }
        try insertion.bind(row.number, at: 1)
        try insertion.bind(origin, at: 2)
        try insertion.bind(Self.bytes(of: values), at: 3)
        if links.isEmpty { try insertion.bindNull(at: 4) } else { try insertion.bind(Self.bytes(of: links), at: 4) }
        try insertion.run()
        counts[entity.index] += 1
        hierarchyCounts[entity.rootIndex] += 1
        return true
    }

    private func claim(_ name: String, for row: Row) throws -> Bool {
        try naming.bind(name, at: 1)
        try naming.bind(row.number, at: 2)
        try naming.run()
        return connection.changeCount > 0
    }

    /// - Throws: `SQLiteError`.
    package func row(named name: String) throws -> Row? {
        try search.bind(name, at: 1)
        defer { search.reset() }
        return try search.step() ? Row(number: search.integer(at: 0)) : nil
    }

    // MARK: Bytes

    private static func bytes(of values: [Value]) -> Data {
        var found = ValueBytes()
        for value in values { found.append(value) }
        return found.bytes
    }

    private static func bytes(of links: [GivenLink]) -> Data {
        var found = ValueBytes()
        for link in links {
            found.append(.integer(Int64(link.relationshipIndex)))
            found.append(.integer(Int64(link.names.count)))
            for name in link.names { found.append(.text(name)) }
        }
        return found.bytes
    }

    static func links(in bytes: UnsafeRawBufferPointer) -> [GivenLink] {
        var reader = ValueBytesReader(bytes)
        var links: [GivenLink] = []
        while case .integer(let index)? = reader.next(), case .integer(let count)? = reader.next() {
            let names = (0..<count).compactMap { _ -> String? in
                if case .text(let name)? = reader.next() { name } else { nil }
            }
            links.append(GivenLink(relationshipIndex: Int(index), names: names))
        }
        return links
    }
}
