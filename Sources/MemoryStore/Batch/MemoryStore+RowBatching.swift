import ObjectGraph

extension MemoryStore: RowBatching {
    package var canBeReadWhileWritten: Bool { false }

    package func insert(_ batch: BatchInsert, fill: (inout BatchInsert.Row) throws -> Bool) throws -> SavedRows {
        try batched(batch.author, batch.contextName) { rows in
            let entity = try batch.entity(in: model)
            var (result, given) = (SavedRows(), BatchInsert.Row(values: [], given: []))
            var free: ObjectID?
            while try fill(&given) {
                try batch.meter?.count()
                try given.check(against: entity)
                let id = try free ?? rows.newIDs(1, entity.index).first
                guard let id, let name = rows.name(of: id) else { continue }
                var row = Row(entityIndex: entity.index, values: SlotValues(nulls: entity.slots.count))
                for slot in entity.storedSlots { try rows.put(given.values[slot], in: slot, of: &row, name) }
                let met = rows.clash(of: row, name)?.other
                free = met == nil ? nil : id
                if let met {
                    try rows.update(met, with: given, batch, &result)
                } else {
                    rows[name] = row
                    rows.history.noteInsertion(of: id)
                    result.created.insert(KeySet([id.key]), in: id.space)
                    result.ordered.append(id)
                }
            }
            return result
        }
    }

    /// Computes all values before it writes any row.
    package func update(_ batch: BatchUpdate) throws -> SavedRows {
        try batched(batch.author, batch.contextName) { rows in
            let (before, names) = (rows, try rows.names(batch.query))
            let evaluator = QueryEvaluator(before)
            let entity = try batch.entity(in: model)
            if batch.assignments.isEmpty { return SavedRows() }
            for name in names {
                for assignment in batch.assignments {
                    rows[name]?.values[assignment.slot] = try evaluator.value(of: assignment, root: name, entity)
                }
                rows[name]?.version = .next(after: before[name]?.version ?? 0)
                rows.history.noteUpdate(of: before.identifier(of: name), entity, slots: batch.assignments.map(\.slot))
            }
            if names.contains(where: { name in rows[name].flatMap { rows.clash(of: $0, name) } != nil }) {
                throw UniqueViolation(
                    entity: entity.name, properties: batch.assignments.map { entity.propertyName(ofSlot: $0.slot) },
                    ids: [])
            }
            var result = SavedRows()
            result.updated = rows.set(names)
            return result
        }
    }

    package func reserveIDs(entityIndex: Int, count: Int) throws -> [ObjectID] {
        _ = try model.entity(checking: entityIndex)
        return try transaction { rows in
            try rows.newIDs(count, entityIndex)
        }
    }

    /// Without any change, there is no transaction in the history.
    private func batched(
        _ author: String?, _ contextName: String?, _ body: (inout Rows) throws -> SavedRows
    ) throws -> SavedRows {
        try transaction { rows in
            var result = try body(&rows)
            if !rows.history.noted.isEmpty {
                result.transactionNumber = rows.history.endTransaction(author: author, contextName: contextName)
            }
            return result
        }
    }
}

extension Rows {
    /// Updates an existing row with the given values, if the batch requests this.
    fileprivate mutating func update(
        _ name: RowName, with given: BatchInsert.Row, _ batch: BatchInsert, _ result: inout SavedRows
    ) throws {
        guard var row = self[name], batch.duplicates == .update else { return }
        let slots = given.given.filter(model[batch.entityIndex].storedSlots.contains)
        if slots.isEmpty { return }
        for slot in slots { try put(given.values[slot], in: slot, of: &row, name) }
        row.version = .next(after: row.version)
        if let clash = clash(of: row, name) {
            throw UniqueViolation(of: clash.constraint, model[batch.entityIndex], ids: [])
        }
        self[name] = row
        let id = id(row, name)
        history.noteUpdateOnce(of: id, model[row.entityIndex], slots: slots)
        result.updated.insert(KeySet([id.key]), in: id.space)
        result.ordered.append(id)
    }
}
