import Foundation
import ObjectGraph

/// Conflicts of uniqueness constraints.
extension NSManagedObjectContext {
    /// Asks the merge policy once for all conflicts of a constraint.
    /// - Returns: Whether the policy decided a conflict; if not, it changed some of the objects itself.
    /// - Throws: Errors of the policy; `CocoaError` 133021 if the next save would fail like the last one.
    final func settle(_ violation: UniqueViolation) throws -> Bool {
        noteUnsettled()
        let contests = try contests(violation)
        let before = contests.map { contestedValues($0, violation) }
        let leaves = graph.saveOptions.replacements.count
        var settlements: [NSConstraintConflict.Settlement?] = Array(repeating: nil, count: contests.count)
        let conflicts = contests.indices.map { place in
            NSConstraintConflict(violation.properties, contests[place].stored, contests[place].unsaved) {
                settlements[place] = $0
            }
        }
        try askPolicy(about: conflicts)
        allowReplacing(objects(of: contests, settlements, .updateStored), violation)
        try giveWay(objects(of: contests, settlements, .keepStored), violation)
        if settlements.contains(nil) { try spreadDeletes() }
        let isMoreAllowed = graph.saveOptions.replacements.count > leaves
        guard isMoreAllowed || before != contests.map({ contestedValues($0, violation) }) else {
            throw error(of: violation)
        }
        return settlements.contains { $0 != nil }
    }

    private func objects(
        of contests: [Contest], _ settlements: [NSConstraintConflict.Settlement?],
        _ wanted: NSConstraintConflict.Settlement
    ) -> [NSManagedObject] {
        zip(contests, settlements).filter { $1 == wanted }.flatMap { $0.0.objects }
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
        userInfo[NSPersistentStoreSaveConflictsErrorKey] = try? contests(violation).map { contest in
            NSConstraintConflict(violation.properties, contest.stored, contest.unsaved) { _ in }
        }
        return CocoaError(.managedObjectConstraintMerge, text: violation.description, userInfo: userInfo)
    }

    // MARK: Conflicting objects

    /// Objects with the same unique values.
    private struct Contest {
        /// One of the objects.
        let example: Record
        /// Objects that cannot be saved while the others exist.
        var objects: [NSManagedObject] = []
        /// The object of the stored row with the values.
        var stored: NSManagedObject?
        /// Without such a row: other new objects with the values.
        var rivals: [NSManagedObject] = []

        var unsaved: [NSManagedObject] { objects + rivals }
        var all: [NSManagedObject] { unsaved + [stored].compactMap { $0 } }
    }

    private func contests(_ violation: UniqueViolation) throws -> [Contest] {
        let objects = violation.ids.compactMap { registeredObject($0) }
        var places: [[Value]: Int] = [:]
        var contests: [Contest] = []
        for object in objects {
            let values = values(of: object.record, violation)
            let place = places[values, default: contests.count]
            if place == contests.count {
                places[values] = place
                contests.append(Contest(example: object.record))
            }
            contests[place].objects.append(object)
        }
        try findStored(&contests, violation)
        if let entity = objects.first?.record.entity { findRivals(&contests, entity, violation) }
        return contests
    }

    /// - Complexity: One statement for each conflict, and a few for all rows that are not read yet.
    private func findStored(_ contests: inout [Contest], _ violation: UniqueViolation) throws {
        let records = try contests.map { try storedRival(of: $0.example, violation.properties) }
        try graph.fire(records.compactMap { $0 })
        for (place, record) in records.enumerated() { contests[place].stored = record.flatMap(object) }
    }

    /// The record of the stored row with the same values.
    private func storedRival(of record: Record, _ properties: [String]) throws -> Record? {
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

    private func findRivals(_ contests: inout [Contest], _ entity: Entity, _ violation: UniqueViolation) {
        guard contests.contains(where: { $0.stored == nil }) else { return }
        let inserted = Dictionary(grouping: graph.insertedRecords.filter { $0.entity.rootIndex == entity.rootIndex }) {
            values(of: $0, violation)
        }
        for (place, contest) in contests.enumerated() where contest.stored == nil {
            let known = Set(contest.objects.map(\.record.id))
            let equal = inserted[values(of: contest.example, violation)] ?? []
            contests[place].rivals = equal.filter { !known.contains($0.id) }.compactMap(object)
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
    private func contestedValues(_ contest: Contest, _ violation: UniqueViolation) -> [[Value]?] {
        contest.all.map { object in
            object.record.graph === graph && !object.record.isDeleted ? values(of: object.record, violation) : nil
        }
    }

    // MARK: Yielding to the stored row

    /// Deletes new objects, and reverts the unique values of edited ones.
    private func giveWay(_ objects: [NSManagedObject], _ violation: UniqueViolation) throws {
        for object in objects {
            if object.record.isInserted {
                graph.markForDeletion(object.record)
            } else {
                try takeBack(violation.properties, of: object, violation)
            }
        }
        try graph.propagateMarkedDeletes()
    }

    private func takeBack(_ properties: [String], of object: NSManagedObject, _ violation: UniqueViolation) throws {
        guard let committed = object.record.committed else { throw error(of: violation) }
        for name in properties {
            guard case .attribute(let place)? = object.table[name] else { continue }
            for slot in place.attribute.slots where slot < committed.count {
                object.record.setValue(committed[slot], at: slot)
            }
        }
    }
}
