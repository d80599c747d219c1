import Foundation
import ObjectGraph
import SQLiteStore

extension NSManagedObjectContext: ConflictJudge {
    /// Asks the merge policy; what it leaves open is merged property by property, unsaved values first.
    package func judge(_ conflicts: [Conflict]) throws {
        let graph = graph
        var shown: [NSMergeConflict] = []
        for conflict in conflicts {
            guard let object = registeredObject(conflict.id) else {
                graph.resolve(conflict, by: .memoryWinsByProperty)
                continue
            }
            shown.append(
                NSMergeConflict(object, conflict) { rule in
                    graph.resolve(conflict, by: rule)
                    object.awake(fromSnapshotEvents: .mergePolicy)
                })
        }
        guard !shown.isEmpty else { return }
        settled.formUnion(shown.map(\.sourceObject))
        try mergePolicy.resolve(mergeConflicts: shown)
        for conflict in shown { conflict.settle(.memoryWinsByProperty) }
    }

    // MARK: Uniqueness

    /// Asks the merge policy about objects that another one is in the way of.
    final func settle(_ violation: UniqueViolation) throws {
        let objects = violation.ids.compactMap { registeredObject($0) }
        guard let first = objects.first else { throw error(of: violation) }
        let stored = try storedRival(of: first, violation.properties)
        let rivals = stored == nil ? unsavedRivals(of: first, violation.properties) : []
        let involved = objects + rivals + [stored].compactMap { $0 }
        let before = involved.map { contestedValues($0, violation) }
        var settlement: NSConstraintConflict.Settlement?
        let conflict = NSConstraintConflict(violation.properties, stored, objects + rivals) { settlement = $0 }
        try mergePolicy.resolve(mergeConflicts: [conflict])
        switch settlement {
        case .keepStored?:
            for object in objects { try giveWay(object, violation) }
        case .updateStored?:
            // A second time around it did not help.
            guard graph.saveOptions.constraints == .refuse else { throw error(of: violation) }
            graph.saveOptions.constraints = .updateExisting
        case nil:
            // Unless the policy changed any of the objects, the next round would be as this one.
            guard involved.map({ contestedValues($0, violation) }) != before else { throw error(of: violation) }
            try spreadDeletes()
        }
    }

    /// What an object has of the properties that must be unique; `nil` of one that is not to be saved.
    private func contestedValues(_ object: NSManagedObject, _ violation: UniqueViolation) -> [Value]? {
        guard object.record.graph === graph, !object.record.isDeleted else { return nil }
        return violation.properties.flatMap { name in
            object.record.entity.attribute(named: name).map { Array(object.record.values($0.slots)) } ?? []
        }
    }

    private func error(of violation: UniqueViolation) -> CocoaError {
        CocoaError(.managedObjectConstraintMerge, text: violation.description)
    }

    /// A new object leaves; an edited one takes back what must be unique.
    private func giveWay(_ object: NSManagedObject, _ violation: UniqueViolation) throws {
        if object.record.isInserted {
            graph.markForDeletion(object.record)
            try graph.spreadMarkedDeletes()
            return
        }
        guard let committed = object.record.committed else { throw error(of: violation) }
        for name in violation.properties {
            guard case .attribute(let place)? = object.table[name] else { continue }
            for slot in place.attribute.slots where slot < committed.count {
                object.record.setValue(committed[slot], at: slot)
            }
        }
    }

    /// The object of the row that has the same values.
    private func storedRival(of object: NSManagedObject, _ properties: [String]) throws -> NSManagedObject? {
        guard let store = graph.store, let tests = tests(properties, object.record) else { return nil }
        var query = Query(entityIndex: object.record.entity.rootIndex, predicate: .and(tests))
        query.limit = 2
        let id = try store.fetchIDs(query).first { $0 != object.record.id }
        guard let record = id.flatMap({ graph.record(for: $0) }) else { return nil }
        try graph.fire([record])
        return self.object(record)
    }

    /// - Returns: `nil` when a value is nil: then nothing is in its way.
    private func tests(_ properties: [String], _ record: Record) -> [QueryExpression]? {
        var tests: [QueryExpression] = []
        for name in properties {
            guard let attribute = record.entity.attribute(named: name), let slot = attribute.slots.first,
                slot < record.values.count, !record.values[slot].isNull
            else { return nil }
            let place = AttributeReference(entityIndex: record.entity.index, slot: slot, path: name)
            tests.append(.compare(.equal, .attribute(.variable(.root), place), .literal(record.values[slot])))
        }
        return tests
    }

    private func unsavedRivals(of object: NSManagedObject, _ properties: [String]) -> [NSManagedObject] {
        let slots = properties.flatMap { object.record.entity.attribute(named: $0).map { Array($0.slots) } ?? [] }
        return graph.insertedRecords.filter { record in
            record !== object.record && record.entity.rootIndex == object.record.entity.rootIndex
                && slots.allSatisfy { slot in
                    slot < record.values.count && slot < object.record.values.count
                        && record.values[slot] == object.record.values[slot]
                }
        }.compactMap { self.object($0) }
    }
}
