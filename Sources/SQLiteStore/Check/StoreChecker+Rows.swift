import ObjectGraph
import StoreSQL

extension StoreChecker {
    private typealias Names = SystemTables

    /// Finds mandatory attributes without a value.
    var missingValues: [CheckTask] {
        layout.entities.flatMap { entity in
            let storage = map.entities[entity.index]
            let own = entity.mandatoryAttributes.filter { $0.declaringIndex == entity.index }
            return own.compactMap { attribute -> CheckTask? in
                let columns = attribute.slots.compactMap { storage.columns[$0]?.name }
                guard !columns.isEmpty else { return nil }
                return task(
                    Question(
                        kind: .missingValue, severity: .error, entity: entity, property: attribute.name,
                        table: storage.table,
                        condition: "r.\(Names.entityColumn) IN \(SQLList(storage.familyNumbers)) AND "
                            + columns.map { "r.\($0) IS NULL" }.joined(separator: " AND ")))
            }
        }
    }

    private func task(_ question: Question) -> CheckTask {
        CheckTask(question.table) { try answer(question).map { [$0] } ?? [] }
    }

    /// Finds rows whose entity number belongs to no entity of their table, and rows of abstract entities.
    var unusableEntities: [CheckTask] {
        layout.entities.flatMap { entity in
            let storage = map.entities[entity.index]
            var questions: [Question] = []
            if entity.isRoot {
                questions.append(
                    Question(
                        kind: .unknownEntity, severity: .error, entity: entity, property: nil, table: storage.table,
                        condition: "r.\(Names.entityColumn) IS NULL OR "
                            + "r.\(Names.entityColumn) NOT IN \(SQLList(storage.familyNumbers))"))
            }
            if entity.isAbstract {
                questions.append(
                    Question(
                        kind: .abstractEntity, severity: .error, entity: entity, property: nil, table: storage.table,
                        condition: "r.\(Names.entityColumn) = \(storage.entityNumber)"))
            }
            return questions.map(task)
        }
    }

    // MARK: Key counters

    /// A primary key counter below the highest key of its table.
    struct LowCounter {
        /// The name of a root entity or of a history table.
        let entity: String
        let number: Int
        /// `nil` if the counter has no row.
        let stored: Int64?
        let highest: Int64
    }

    func lowCounters() throws -> [StoreFinding] {
        try lowCounterList().map { counter in
            let (lag, overflow) = counter.highest.subtractingReportingOverflow(counter.stored ?? 0)
            return StoreFinding(
                .lowCounter, .error, entity: counter.entity, count: overflow ? Int.max : Int(lag))
        }
    }

    func lowCounterList() throws -> [LowCounter] {
        typealias Keys = SystemTables.PrimaryKey
        return try countedTables.compactMap { entity, number, table -> LowCounter? in
            let sql =
                "SELECT max(\(Names.keyColumn)), (SELECT \(Keys.highestKey) FROM \(Keys.table) "
                + "WHERE \(Keys.entity) = \(number)) FROM \(table)"
            return try connection.withStatement(sql) { statement in
                guard try statement.step(), let highest = statement.optionalInteger(at: 0) else { return nil }
                let stored = statement.optionalInteger(at: 1)
                return highest > stored ?? 0
                    ? LowCounter(entity: entity, number: number, stored: stored, highest: highest) : nil
            }
        }
    }

    private var countedTables: [(entity: String, number: Int, table: String)] {
        let roots = layout.entities.filter(\.isRoot).map { entity in
            (entity.name, map.entities[entity.index].entityNumber, map.entities[entity.index].table)
        }
        guard let history else { return roots }
        typealias History = HistoryTables
        let own = [
            (History.Change.entityName, History.Change.entityNumber, History.Change.table),
            (History.Transaction.entityName, History.Transaction.entityNumber, History.Transaction.table),
        ]
        let texts = (History.Text.entityName, History.Text.entityNumber, History.Text.table)
        return roots + own + (history.hasTexts ? [texts] : [])
    }
}
