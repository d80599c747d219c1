import ObjectGraph
import StoreSQL

extension StoreChecker {
    /// Finds keys whose row is missing, is of the wrong entity, or does not match the entity number beside the key.
    /// Mandatory keys are reported as orphans instead.
    var danglingKeys: [CheckTask] { layout.keys.map { key in CheckTask(key.table) { try dangling(key) } } }

    private func dangling(_ key: StoredKey) throws -> [StoreFinding] {
        var findings: [StoreFinding?] = []
        if key.kind != .mandatory {
            findings.append(try answer(.danglingKey, key.mayBeDangling ? .note : .error, key, key.dangles))
            if let other = key.refersToOtherEntity {
                findings.append(try answer(.wrongDestination, .error, key, other))
            }
        }
        if let misnames = key.misnames { findings.append(try answer(.wrongEntityNumber, .error, key, misnames)) }
        return findings.compactMap { $0 }
    }

    private func answer(
        _ kind: StoreFinding.Kind, _ severity: StoreFinding.Severity, _ key: StoredKey, _ condition: String
    ) throws -> StoreFinding? {
        try answer(
            Question(
                kind: kind, severity: severity, entity: key.entity, property: key.property, table: key.table,
                condition: condition))
    }

    /// Finds mandatory relationships without a destination. Those that the delete rules may have caused are reported
    /// separately.
    var orphans: [CheckTask] {
        layout.keys.filter { $0.kind == .mandatory }.map { key in
            CheckTask(key.table) {
                try [
                    answer(.orphan, .error, key, key.isOrphaned),
                    key.mayBeDangling ? answer(.orphan, .warning, key, key.dangles) : nil,
                ].compactMap { $0 }
            }
        }
    }

    // MARK: One-to-one

    /// Finds ends of one-to-one relationships whose destination does not refer back.
    var halfSetInverses: [CheckTask] {
        layout.pairs.flatMap { pair in
            pair.ends.indices.map { position in
                let key = layout.keys[pair.ends[position]]
                let inverse = layout.inverse(position, in: pair)
                return CheckTask(key.table) { try halfSetFindings(key, inverse) }
            }
        }
    }

    private func halfSetFindings(_ key: StoredKey, _ inverse: StoredKey) throws -> [StoreFinding] {
        let source = halfSet(key, inverse: inverse)
        let (count, examples) = try sample(
            "SELECT r.\(SystemTables.keyColumn), r.\(SystemTables.entityColumn), count(*) OVER () \(source)", key.entity
        )
        if count == 0 { return [] }
        let severity: StoreFinding.Severity = try isSetAtOneEnd(key, inverse) ? .note : .error
        return [
            StoreFinding(
                .halfSetInverse, severity, entity: key.entity.name, property: key.property, count: count,
                examples: examples)
        ]
    }

    /// Whether at least nine of ten links, and not just a few, have only this key, with no value in an optional inverse.
    /// Some apps always set one end of a one-to-one relationship only: then these rows are valid.
    func isSetAtOneEnd(_ key: StoredKey, _ inverse: StoredKey) throws -> Bool {
        guard inverse.kind == .toOne else { return false }
        let half =
            "SELECT count(*) AS halves, count(t.\(inverse.column)) AS elsewhere \(halfSet(key, inverse: inverse))"
        let whole =
            "SELECT count(*) FROM \(inverse.table) r WHERE r.\(inverse.column) IS NOT NULL AND \(inverse.hasKey)"
        let sql = "SELECT elsewhere = 0 AND halves >= max(10, 9 * (\(whole))) FROM (\(half))"
        return try connection.withStatement(sql) { try $0.step() && $0.integer(at: 0) == 1 }
    }

    /// A FROM clause of rows `r` and their destinations `t`, where `t` does not refer back.
    func halfSet(_ key: StoredKey, inverse: StoredKey) -> String {
        let (primary, entity) = (SystemTables.keyColumn, SystemTables.entityColumn)
        let own = key.rowNumbers.filter(Set(inverse.coveredNumbers).contains)
        let other = key.coveredNumbers.filter(Set(inverse.rowNumbers).contains)
        return "FROM \(key.table) r JOIN \(inverse.table) t ON t.\(primary) = r.\(key.column) "
            + "WHERE r.\(entity) IN \(SQLList(own)) AND t.\(entity) IN \(SQLList(other)) "
            + "AND t.\(inverse.column) IS NOT r.\(primary) ORDER BY r.\(primary)"
    }

    // MARK: Join rows

    /// Finds join rows with a missing end. The remaining end is given as the example.
    var strayJoinRows: [CheckTask] {
        layout.joins.map { join in
            CheckTask(join.table) {
                let rows = try strayRows(of: join, limit: StoreFinding.exampleLimit)
                guard let count = rows.first?.total else { return [] }
                return [
                    StoreFinding(
                        .strayJoinRow, .error, entity: join.entity.name, property: join.relationship.name,
                        count: count, examples: rows.flatMap(\.survivors))
                ]
            }
        }
    }

    struct StrayJoinRow {
        let rowID: Int64
        /// The ends by side of the join table; `nil` for an end whose row is missing.
        let ends: [ObjectID?]
        let total: Int

        var survivors: [ObjectID] { ends.compactMap { $0 } }
    }

    func strayRows(of join: StoredJoin, limit: Int? = nil) throws -> [StrayJoinRow] {
        let (primary, entity) = (SystemTables.keyColumn, SystemTables.entityColumn)
        let ends = join.ends.indices.map { "e\($0).\(primary), e\($0).\(entity)" }.joined(separator: ", ")
        let tables = join.ends.enumerated().map { position, end in
            "LEFT JOIN \(end.table) e\(position) ON e\(position).\(primary) = j.\(end.column)"
        }
        let sql =
            "SELECT j.rowid, count(*) OVER (), \(ends) FROM \(join.table) j \(tables.joined(separator: " ")) "
            + "WHERE \(join.isStray) ORDER BY j.rowid" + (limit.map { " LIMIT \($0)" } ?? "")
        return try connection.withStatement(sql) { statement in
            var rows: [StrayJoinRow] = []
            while try statement.step() {
                let ends = join.ends.enumerated().map { position, end -> ObjectID? in
                    let column = 2 + position * 2
                    let number = statement.integer(at: column + 1)
                    guard !statement.isNull(at: column), let index = entityIndex(number),
                        !end.foreignNumbers.contains(Int(number))
                    else { return nil }
                    return spaces.id(entityIndex: index, key: statement.integer(at: column))
                }
                rows.append(
                    StrayJoinRow(
                        rowID: statement.integer(at: 0), ends: ends, total: Int(statement.integer(at: 1))))
            }
            return rows
        }
    }
}
