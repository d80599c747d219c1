import Foundation
import ObjectGraph

extension NSManagedObjectContext: ConflictJudge {
    /// Asks the merge policy; conflicts that it leaves open are merged property by property, and unsaved values win.
    package func judge(_ conflicts: [Conflict]) throws {
        noteUnresolved()
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
        resolvedObjects.formUnion(shown.map(\.sourceObject))
        try askPolicy(about: shown)
        for conflict in shown { conflict.resolve(.memoryWinsByProperty) }
    }

    /// - Throws: `PolicyRefusal`.
    final func askPolicy(about conflicts: [Any]) throws {
        do {
            try mergePolicy.resolve(mergeConflicts: conflicts)
        } catch {
            throw PolicyRefusal(reason: error)
        }
    }

    /// Call before the first conflict of a save is resolved.
    final func noteUnresolved() {
        if beforeSettling == nil { beforeSettling = graph.unsavedState }
    }

    /// After a failed save: restores the values of objects that resolving conflicts changed.
    final func restoreResolved() {
        guard let beforeSettling else { return }
        graph.putBack(beforeSettling)
        for object in resolvedObjects where object.record.graph === graph {
            object.awake(fromSnapshotEvents: .mergePolicy)
        }
    }
}
