import Foundation
import ObjectGraph

/// New rows that are gathered before any of them is written, with links among them that may lead to rows which come later.
///
/// They wait in a database of SQLite's own in temporary files: however many there are, few are in memory. Used by one
/// thread.
package final class StagedRows {
    let model: Model
    let connection: Connection
    /// By entity index.
    private var counts: [Int]
    /// Rows of each hierarchy, by the position of its root.
    private var hierarchyCounts: [Int]
    /// Links that another end told of than the one whose order counts.
    var laterLinkCount: Int64 = 0
    /// Held, as they run for every row.
    private let insertion: Statement
    private let naming: Statement
    private let search: Statement
    let referring: Statement

    /// One of the rows.
    package struct Row: Hashable, Sendable {
        package let entityIndex: Int
        /// Among the rows of its hierarchy, in the order in which they came.
        let place: Int64

        static let placeBits: Int64 = 40

        /// As it is written in the tables: by entity, then place.
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

    /// What a row says a relationship of its leads to, by name.
    package struct ToldLink {
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
        // Never committed: nobody else sees it, and it is gone with the connection.
        try connection.execute("BEGIN")
        insertion = try connection.prepare(StagingTables.insertRow)
        naming = try connection.prepare(StagingTables.insertName)
        search = try connection.prepare(StagingTables.selectName)
        referring = try connection.prepare(StagingTables.insertReference)
    }

    package var count: Int { counts.reduce(0, +) }

    package func count(of entity: Entity) -> Int { counts[entity.index] }

    /// Rows of a whole hierarchy.
    func count(below root: Entity) -> Int { hierarchyCounts[root.index] }

    /// - Parameters:
    ///   - name: what links lead to it by.
    ///   - origin: where it was found, for messages.
    ///   - values: in slot order; those of to-one relationships are null.
    /// - Returns: whether it was taken; not where another row has the name.
    /// - Throws: `SQLiteError`.
    package func add(
        _ entity: Entity, name: String?, origin: String, values: [Value], links: [ToldLink]
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

    private static func bytes(of links: [ToldLink]) -> Data {
        var found = ValueBytes()
        for link in links {
            found.append(.integer(Int64(link.relationshipIndex)))
            found.append(.integer(Int64(link.names.count)))
            for name in link.names { found.append(.text(name)) }
        }
        return found.bytes
    }

    static func links(in bytes: UnsafeRawBufferPointer) -> [ToldLink] {
        var reader = ValueBytesReader(bytes)
        var links: [ToldLink] = []
        while case .integer(let index)? = reader.next(), case .integer(let count)? = reader.next() {
            let names = (0..<count).compactMap { _ -> String? in
                if case .text(let name)? = reader.next() { name } else { nil }
            }
            links.append(ToldLink(relationshipIndex: Int(index), names: names))
        }
        return links
    }
}
