import ObjectGraph

extension MemoryStore: RowBatching {
    package var canBeReadWhileWritten: Bool { false }

    package func insert(
        _ batch: BatchInsert, fill: (inout BatchInsert.Row) throws -> Bool
    ) throws -> SavedRows {
        try batched(batch.author, batch.contextName) { rows, notes in
            guard model.has(batch.entityIndex) else {
                throw ChangeSetError.unknownEntity(index: batch.entityIndex)
            }
            let entity = model[batch.entityIndex]
            if entity.isAbstract { throw ChangeSetError.abstractEntity(entity.name) }
            var (result, given) = (SavedRows(), BatchInsert.Row(values: [], given: []))
            var freeKey: Int64?
            while try fill(&given) {
                try batch.meter?.count()
                guard given.values.count == entity.slots.count else {
                    throw ChangeSetError.wrongValueCount(
                        entity: entity.name, expected: entity.slots.count, found: given.values.count)
                }
                let key = try freeKey ?? rows.newKeys(1, entity.index).lowerBound
                let name = RowName(rootIndex: entity.rootIndex, key: key)
                var row = Row(entityIndex: entity.index, values: SlotValues(nulls: entity.slots.count))
                for slot in entity.storedSlots { try rows.put(given.values[slot], in: slot, of: &row) }
                let met = rows.clash(of: row, name)?.other
                freeKey = met == nil ? nil : key
                if let met {
                    try rows.update(met, with: given, batch, &result, &notes)
                } else {
                    rows[name] = row
                    notes.inserted(rows.id(row, name))
                    result.created.insert(KeySet([key]), in: rows.spaces.spaces[entity.index])
                    result.ordered.append(rows.id(row, name))
                }
            }
            return result
        }
    }

    /// Computes all values before it writes any row.
    package func update(_ batch: BatchUpdate) throws -> SavedRows {
        try batched(batch.author, batch.contextName) { rows, notes in
            let (before, names) = (rows, try rows.names(batch.query))
            let entity = model[batch.query.entityIndex]
            for assignment in batch.assignments {
                guard entity.slots.indices.contains(assignment.slot), entity.storedSlots.contains(assignment.slot),
                    case .attribute = entity.slots[assignment.slot]
                else { throw ChangeSetError.unknownSlot(entity: entity.name, slot: assignment.slot) }
            }
            if batch.assignments.isEmpty { return SavedRows() }
            for name in names {
                for assignment in batch.assignments {
                    rows[name]?.values[assignment.slot] = try before.value(of: assignment, for: name, entity)
                }
                rows[name]?.version = .next(after: before[name]?.version ?? 0)
                notes.updated(before.identifier(of: name), entity, slots: batch.assignments.map(\.slot))
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
        guard model.has(entityIndex) else {
            throw ChangeSetError.unknownEntity(index: entityIndex)
        }
        return try transaction { rows in
            try rows.newKeys(count, entityIndex).map { rows.spaces.id(entityIndex: entityIndex, key: $0) }
        }
    }

    /// Without any change, there is no transaction in the history.
    private func batched(
        _ author: String?, _ contextName: String?, _ body: (inout Rows, inout HistoryNotes) throws -> SavedRows
    ) throws -> SavedRows {
        try transaction { rows in
            var notes = HistoryNotes()
            var result = try body(&rows, &notes)
            if !notes.changes.isEmpty {
                result.transactionNumber = rows.history.append(
                    notes, author: author, contextName: contextName, of: identifier)
            }
            return result
        }
    }
}

extension Rows {
    /// Updates an existing row with the given values, if the batch requests this.
    fileprivate mutating func update(
        _ name: RowName, with given: BatchInsert.Row, _ batch: BatchInsert, _ result: inout SavedRows,
        _ notes: inout HistoryNotes
    ) throws {
        guard var row = self[name], batch.duplicates == .update else { return }
        let slots = given.given.filter(model[batch.entityIndex].storedSlots.contains)
        if slots.isEmpty { return }
        for slot in slots { try put(given.values[slot], in: slot, of: &row) }
        row.version = .next(after: row.version)
        if let clash = clash(of: row, name) { throw violation(clash.constraint, model[batch.entityIndex], []) }
        self[name] = row
        let id = id(row, name)
        notes.updatedOnce(id, model[row.entityIndex], slots: slots)
        result.updated.insert(KeySet([id.key]), in: id.space)
        result.ordered.append(id)
    }

    /// - Throws: `UnfitValue` for a computed value that the attribute cannot store, or that overflows 64 bits.
    fileprivate func value(of assignment: BatchUpdate.Assignment, for name: RowName, _ entity: Entity) throws -> Value {
        if case .literal(let value) = assignment.value { return value }
        guard !assignment.value.readsOtherObjects else {
            throw UntranslatableExpression("a property of another object in the values of a batch update")
        }
        let evaluator = QueryEvaluator(self)
        let value = try evaluator.value(assignment.value, root: name)
        guard case .attribute(_, let leaf) = entity.slots[assignment.slot], let fitting = leaf.type.fitting(value),
            try !(assignment.value.overflow.map { try evaluator.test($0, root: name) } ?? false)
        else {
            throw UnfitValue(entity: entity.name, properties: [entity.propertyName(ofSlot: assignment.slot)])
        }
        return fitting
    }
}

extension AttributeType {
    /// Returns the value in the attribute's type, without fractions for integers; `nil` for one that it cannot store.
    fileprivate func fitting(_ value: Value) -> Value? {
        let whole: Int64? =
            switch value {
            case .integer(let number): number
            case .real(let number): Int64(exactly: number.rounded(.towardZero))
            default: nil
            }
        switch (self, value) {
        case (_, .null): return .null
        case (.integer16, _): return whole.flatMap(Int16.init(exactly:)).map { .integer(Int64($0)) }
        case (.integer32, _): return whole.flatMap(Int32.init(exactly:)).map { .integer(Int64($0)) }
        case (.integer64, _): return whole.map(Value.integer)
        case (.boolean, _): return whole.flatMap { (0...1).contains($0) ? .integer($0) : nil }
        case (.double, .integer(let number)), (.float, .integer(let number)), (.date, .integer(let number)):
            return .real(Double(number))
        case (.double, .real), (.float, .real), (.date, .real), (.decimal, .integer), (.decimal, .real),
            (.decimal, .decimal), (.string, .text), (.uri, .text), (.uuid, .uuid), (.binary, .bytes),
            (.transformable, .bytes):
            return value
        default: return nil
        }
    }
}
