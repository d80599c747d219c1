import ObjectGraph

/// Constraints on composites, of which the file's index does not see all that are equal: rows that were written are compared
/// with the others here.
extension SaveAttempt {
    /// - Throws: `CollidingInsertion` for a new row that equals another one, `UniqueViolation` for an edited one.
    /// - Complexity: One statement for each written row and each such constraint of its entity.
    func checkBlindConstraints() throws {
        for (insertion, row) in zip(changes.insertions, saved.inserted) {
            let plan = runner.plans[insertion.entityIndex]
            for uniqueness in plan.storage.uniqueness where uniqueness.isBlind {
                guard try hasEqual(row.id.key, uniqueness, plan) else { continue }
                throw CollidingInsertion(violation: violation(of: uniqueness, plan, insertion.id))
            }
        }
        for update in changes.updates where !saved.planned.deleted.contains(update.id) {
            let plan = runner.plans[update.entityIndex]
            let changed = Set(update.changedSlots.compactMap { plan.storage.columns[$0]?.name })
            for uniqueness in plan.storage.uniqueness
            where uniqueness.isBlind && !changed.isDisjoint(with: uniqueness.columns) {
                guard try hasEqual(update.id.key, uniqueness, plan) else { continue }
                throw violation(of: uniqueness, plan, update.id)
            }
        }
    }

    private func hasEqual(_ key: Int64, _ uniqueness: Uniqueness, _ plan: WritePlan) throws -> Bool {
        let (table, keyColumn) = (plan.storage.table, SystemTables.keyColumn)
        let isSame = uniqueness.columns.map { " AND b.\($0) IS a.\($0)" }.joined()
        let binds = uniqueness.parts.map { part in
            " AND (" + part.columns.map { "a.\($0) IS NOT NULL" }.joined(separator: " OR ") + ")"
        }
        let sql =
            "SELECT 1 FROM \(table) a JOIN \(table) b ON b.\(keyColumn) <> a.\(keyColumn)\(isSame) "
            + "WHERE a.\(keyColumn) = ?\(binds.joined()) LIMIT 1"
        return try connection.withStatement(sql) { statement in
            try statement.bind(key, at: 1)
            return try statement.step()
        }
    }

    private func violation(of uniqueness: Uniqueness, _ plan: WritePlan, _ id: ObjectID) -> UniqueViolation {
        let columns = Set(uniqueness.columns)
        let slots = plan.storage.columns.indices.filter { slot in
            plan.storage.columns[slot].map { columns.contains($0.name) } ?? false
        }
        return UniqueViolation(entity: plan.entity.name, properties: slots.map(plan.entity.propertyName), ids: [id])
    }
}
