import ObjectGraph
import StoreSQL

extension FetchRunner {
    func rows(ofEntity index: Int, after key: Int64?, limit: Int, _ connection: Connection) throws -> [Snapshot] {
        guard let entity = map.model.entity(at: index) else { return [] }
        let layout = layouts.layout(index, includesSubentities: false)
        let storage = map.entities[index]
        let isShared = entity.hasSubentities || !entity.isRoot
        let own = isShared ? " AND +\(SystemTables.entityColumn) = \(storage.entityNumber)" : ""
        let sql =
            "SELECT \(layout.columns.joined(separator: ", ")) FROM \(storage.table) "
            + "WHERE \(SystemTables.keyColumn) > ?\(own) ORDER BY \(SystemTables.keyColumn) LIMIT ?"
        return try connection.withStatement(sql) { statement in
            try statement.bind(key ?? .min, at: 1)
            try statement.bind(Int64(limit), at: 2)
            var rows: [Snapshot] = []
            var last = key
            while try statement.step() {
                guard let snapshot = try reader.snapshot(statement, layout) else { continue }
                if let last, snapshot.id.key <= last { throw SQLiteError.disorder }
                last = snapshot.id.key
                rows.append(snapshot)
            }
            return rows
        }
    }

    func first(_ limit: Int, of query: Query, _ connection: Connection) throws -> [Snapshot] {
        try check(query)
        let layout = layouts.layout(query.entityIndex, includesSubentities: query.includesSubentities)
        let text = try builder.rows(query, columns: layout.columns)
        return try connection.withStatement(text) { statement in
            var rows: [Snapshot] = []
            while rows.count < limit, try statement.step() {
                if let row = try reader.snapshot(statement, layout) { rows.append(row) }
            }
            return rows
        }
    }

    func forEachPage(
        of query: Query, size: Int, _ connection: Connection, _ body: ([Snapshot]) throws -> Void
    ) throws {
        guard map.model.has(query.entityIndex) else {
            throw UntranslatableExpression("an entity that the model does not have")
        }
        let layout = layouts.layout(query.entityIndex, includesSubentities: query.includesSubentities)
        let text = try builder.rows(query, columns: layout.columns)
        let start = reader.unreadable?.mark
        func handOver(_ page: [Snapshot]) throws {
            guard let unreadable = reader.unreadable, let start else { return try body(page) }
            try unreadable.dropping(since: start) { try body(page) }
        }
        try connection.withStatement(text) { statement in
            var page: [Snapshot] = []
            page.reserveCapacity(size)
            while try statement.step() {
                if let snapshot = try reader.snapshot(statement, layout) { page.append(snapshot) }
                guard page.count == size else { continue }
                try handOver(page)
                page.removeAll(keepingCapacity: true)
            }
            if !page.isEmpty { try handOver(page) }
        }
    }
}
