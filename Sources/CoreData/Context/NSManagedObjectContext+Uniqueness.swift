import Foundation
import ObjectGraph

/// Conflicts of uniqueness constraints.
extension NSManagedObjectContext {
    /// Asks the merge policy once for all conflicts of a constraint.
    /// - Returns: Whether the policy decided a conflict; if not, it changed some of the objects itself.
    /// - Throws: Errors of the policy; `CocoaError` 133021 if the next save would fail like the last one.
    final func resolve(_ violation: UniqueViolation) throws -> Bool {
        noteUnresolved()
        let uniquenessConflicts = try uniquenessConflicts(violation)
        let before = uniquenessConflicts.map { conflictingValues($0, violation) }
        let leaves = graph.saveOptions.replacements.count
        var resolutions: [NSConstraintConflict.Resolution?] = Array(repeating: nil, count: uniquenessConflicts.count)
        let conflicts = uniquenessConflicts.indices.map { place in
            NSConstraintConflict(
                violation.properties, uniquenessConflicts[place].stored, uniquenessConflicts[place].unsaved
            ) {
                resolutions[place] = $0
            }
        }
        try askPolicy(about: conflicts)
        allowReplacing(objects(of: uniquenessConflicts, resolutions, .updateStored), violation)
        try yieldToStoredRow(objects(of: uniquenessConflicts, resolutions, .keepStored), violation)
        if resolutions.contains(nil) { try propagateMarkedDeletes() }
        let isMoreAllowed = graph.saveOptions.replacements.count > leaves
        guard isMoreAllowed || before != uniquenessConflicts.map({ conflictingValues($0, violation) }) else {
            throw error(of: violation)
        }
        return resolutions.contains { $0 != nil }
    }

    private func objects(
        of uniquenessConflicts: [UniquenessConflict], _ resolutions: [NSConstraintConflict.Resolution?],
        _ wanted: NSConstraintConflict.Resolution
    ) -> [NSManagedObject] {
        zip(uniquenessConflicts, resolutions).filter { $1 == wanted }.flatMap { $0.0.objects }
    }

    /// Allows only these objects, and only for this constraint, to replace the values of existing rows.
    private func allowReplacing(_ objects: [NSManagedObject], _ violation: UniqueViolation) {
        for object in objects where object.record.isInserted {
            graph.saveOptions.replacements.insert(
                ChangeSet.Replacement(id: object.record.id, properties: violation.properties))
        }
    }

    /// The error 133021, with the conflicts if they can be read.
    final func error(of violation: UniqueViolation) -> CocoaError {
        var userInfo: [String: Any] = [NSUnderlyingErrorKey: violation]
        userInfo[NSPersistentStoreSaveConflictsErrorKey] = try? uniquenessConflicts(violation).map { conflict in
            NSConstraintConflict(violation.properties, conflict.stored, conflict.unsaved) { _ in }
        }
        return CocoaError(.managedObjectConstraintMerge, text: violation.description, userInfo: userInfo)
    }

    // MARK: Conflicting objects

    /// Objects with the same unique values.
    private struct UniquenessConflict {
        /// One of the objects.
        let example: Record
        /// Objects that cannot be saved while the others exist.
        var objects: [NSManagedObject] = []
        /// The object of the stored row with the values.
        var stored: NSManagedObject?
        /// Without such a row: other new objects with the values.
        var insertions: [NSManagedObject] = []

        var unsaved: [NSManagedObject] { objects + insertions }
        var all: [NSManagedObject] { unsaved + [stored].compactMap { $0 } }
    }

    private func uniquenessConflicts(_ violation: UniqueViolation) throws -> [UniquenessConflict] {
        let objects = violation.ids.compactMap { registeredObject($0) }
        var places: [[Value]: Int] = [:]
        var uniquenessConflicts: [UniquenessConflict] = []
        for object in objects {
            let values = values(of: object.record, violation)
            let place = places[values, default: uniquenessConflicts.count]
            if place == uniquenessConflicts.count {
                places[values] = place
                uniquenessConflicts.append(UniquenessConflict(example: object.record))
            }
            uniquenessConflicts[place].objects.append(object)
        }
        try findStored(&uniquenessConflicts, violation)
        if let entity = objects.first?.record.entity {
            findConflictingInsertions(&uniquenessConflicts, entity, violation)
        }
        return uniquenessConflicts
    }

    /// - Complexity: One statement for each conflict, and a few for all rows that are not read yet.
    private func findStored(_ uniquenessConflicts: inout [UniquenessConflict], _ violation: UniqueViolation) throws {
        let records = try uniquenessConflicts.map { try storedConflict(of: $0.example, violation.properties) }
        try graph.fire(records.compactMap { $0 })
        for (place, record) in records.enumerated() { uniquenessConflicts[place].stored = record.flatMap(object) }
    }

    /// The record of the stored row with the same values.
    private func storedConflict(of record: Record, _ properties: [String]) throws -> Record? {
        guard let store = graph.store, let tests = tests(properties, record) else { return nil }
        var query = Query(entityIndex: record.entity.rootIndex, predicate: .and(tests))
        query.limit = 2
        return try store.fetchIDs(query).first { $0 != record.id }.flatMap { graph.record(for: $0) }
    }

    /// - Returns: `nil` if a value is nil, because nil conflicts with nothing.
    private func tests(_ properties: [String], _ record: Record) -> [QueryExpression]? {
        var tests: [QueryExpression] = []
        for name in properties {
            guard let attribute = record.entity.attribute(named: name), let slot = attribute.slots.first,
                slot < record.values.count, !record.values[slot].isNull
            else { return nil }
            let place = AttributeReference(entityIndex: record.entity.index, slot: slot, path: name)
            tests.append(.compare(.equal, .attribute(.variable(.root), place), .literal(record.values[slot])))
        }
        return tests.isEmpty ? nil : tests
    }

    private func findConflictingInsertions(
        _ uniquenessConflicts: inout [UniquenessConflict], _ entity: Entity, _ violation: UniqueViolation
    ) {
        guard uniquenessConflicts.contains(where: { $0.stored == nil }) else { return }
        let inserted = Dictionary(grouping: graph.insertedRecords.filter { $0.entity.rootIndex == entity.rootIndex }) {
            values(of: $0, violation)
        }
        for (place, conflict) in uniquenessConflicts.enumerated() where conflict.stored == nil {
            let known = Set(conflict.objects.map(\.record.id))
            let equal = inserted[values(of: conflict.example, violation)] ?? []
            uniquenessConflicts[place].insertions = equal.filter { !known.contains($0.id) }.compactMap(object)
        }
    }

    // MARK: Values

    /// An object's values of the constraint's properties.
    private func values(of record: Record, _ violation: UniqueViolation) -> [Value] {
        violation.properties.flatMap { name in
            record.entity.attribute(named: name).map { Array(record.values($0.slots)) } ?? []
        }
    }

    /// The values of all objects of a conflict; `nil` for objects that are not to be saved.
    private func conflictingValues(_ conflict: UniquenessConflict, _ violation: UniqueViolation) -> [[Value]?] {
        conflict.all.map { object in
            object.record.graph === graph && !object.record.isDeleted ? values(of: object.record, violation) : nil
        }
    }

    // MARK: Yielding to the stored row

    /// Deletes new objects, and reverts the unique values of edited ones.
    private func yieldToStoredRow(_ objects: [NSManagedObject], _ violation: UniqueViolation) throws {
        for object in objects {
            if object.record.isInserted {
                graph.markForDeletion(object.record)
            } else {
                try revertValues(violation.properties, of: object, violation)
            }
        }
        try graph.propagateMarkedDeletes()
    }

    private func revertValues(_ properties: [String], of object: NSManagedObject, _ violation: UniqueViolation) throws {
        guard let committed = object.record.committed else { throw error(of: violation) }
        for name in properties {
            guard case .attribute(let place)? = object.table[name] else { continue }
            for slot in place.attribute.slots where slot < committed.count {
                object.record.setValue(committed[slot], at: slot)
            }
        }
    }
}
