import Foundation
import ObjectGraph

/// The changes that a fetched results controller reports of one event.
struct FetchedChanges {
    struct SectionChange {
        /// Of a deleted section.
        let deleted: FetchedSection?
        let index: Int
        var type: NSFetchedResultsChangeType { deleted == nil ? .insert : .delete }
    }

    struct ObjectChange {
        let object: NSManagedObject
        let type: NSFetchedResultsChangeType
        /// The former position; `nil` for an insertion.
        let old: Int?
        /// The new position; `nil` for a deletion.
        let new: Int?
    }

    private(set) var sections: [SectionChange] = []
    /// Deletions in descending order, then insertions, moves and updates in ascending order.
    private(set) var objects: [ObjectChange] = []
    private(set) var edit: FetchedContent.Edit
    private let shift: PositionShift
    private var deletions: [ObjectChange] = []
    private var insertions: [ObjectChange] = []
    private var moves: [ObjectChange] = []
    private var updates: [ObjectChange] = []

    var isEmpty: Bool { sections.isEmpty && objects.isEmpty }

    /// - Parameters:
    ///   - content: the results before the event.
    ///   - name: the section name of a result.
    ///   - title: the index title of a section, by its name.
    /// - Complexity: O(k log n + s) for k changed results and s sections.
    init(
        _ event: Event, of content: FetchedContent, name: (NSObject) -> String, title: (String) -> String?
    ) {
        let difference = event.difference
        edit = FetchedContent.Edit(formerRuns: content.runs, runs: content.runs)
        shift = PositionShift(
            removed: difference.removals.map(\.position), inserted: difference.insertions.map(\.position))
        noteMoves(event, content)
        // Results that stay among the others, but in another section.
        var removed = difference.removals.map(\.position)
        var inserted = event.insertions.map { (position: $0.insertion.position, name: name($0.object)) }
        for stay in event.stays {
            guard let old = shift.former(of: stay.position), content.objects.indices.contains(old) else { continue }
            let isSame = content.objects[old] === stay.object
            let section = name(stay.object)
            if !isSame || section != content.runs.name(at: old) {
                removed.append(old)
                inserted.append((stay.position, section))
            }
            note(stay, from: old, isSame, isMoved: section != content.runs.name(at: old), content)
        }
        let (runs, staying) = content.runs.changed(
            removing: removed.sorted(), inserting: inserted.sorted { $0.position < $1.position }, title: title)
        edit.runs = runs
        edit.removals.sort { $0.position < $1.position }
        edit.insertions.sort { $0.position < $1.position }
        noteSections(content, staying, leaving: Set(removed))
        objects =
            deletions.sorted { ($0.old ?? 0) > ($1.old ?? 0) }
            + [insertions, moves, updates].flatMap { $0.sorted { ($0.new ?? 0) < ($1.new ?? 0) } }
    }

    // MARK: Results

    private mutating func noteMoves(_ event: Event, _ content: FetchedContent) {
        var moved: Set<Int> = []
        for (insertion, object) in event.insertions {
            edit.insertions.append((insertion.position, object))
            // Another object may represent the row.
            let old = insertion.origin.flatMap { content.objects[$0] === object ? $0 : nil }
            if let old { moved.insert(old) }
            let change = ObjectChange(
                object: object, type: old == nil ? .insert : .move, old: old, new: insertion.position)
            if old == nil { insertions.append(change) } else { moves.append(change) }
        }
        for removal in event.difference.removals {
            edit.removals.append((removal.position, content.objects[removal.position]))
            if !moved.contains(removal.position) { noteDeletion(at: removal.position, content) }
        }
    }

    private mutating func noteDeletion(at old: Int, _ content: FetchedContent) {
        guard let object = content.objects[old] as? NSManagedObject else { return }
        deletions.append(ObjectChange(object: object, type: .delete, old: old, new: nil))
    }

    private mutating func note(
        _ stay: Event.Stay, from old: Int, _ isSame: Bool, isMoved: Bool, _ content: FetchedContent
    ) {
        if !isSame {
            edit.removals.append((old, content.objects[old]))
            edit.insertions.append((stay.position, stay.object))
            noteDeletion(at: old, content)
            insertions.append(ObjectChange(object: stay.object, type: .insert, old: nil, new: stay.position))
        } else if isMoved {
            moves.append(ObjectChange(object: stay.object, type: .move, old: old, new: stay.position))
        } else if stay.isUpdated {
            updates.append(ObjectChange(object: stay.object, type: .update, old: old, new: stay.position))
        }
    }

    // MARK: Sections

    private mutating func noteSections(_ content: FetchedContent, _ staying: [Int], leaving: Set<Int>) {
        let (old, new) = (content.runs, edit.runs)
        if old.isSame(as: new) { return }
        let kept = new.kept(from: old, staying: staying)
        let remaining = Set(kept.values)
        let deleted = old.runs.indices.reversed().filter { !remaining.contains($0) }
        sections =
            deleted.map { SectionChange(deleted: content.copy(ofSection: $0), index: $0) }
            + new.runs.indices.filter { kept[$0] == nil }.map { SectionChange(deleted: nil, index: $0) }
        // Only a scattered section is replaced although results stay in it.
        for section in deleted where staying[section] > 0 {
            for position in old.range(of: section) where !leaving.contains(position) { noteReplaced(position, content) }
        }
    }

    /// A result whose section is replaced by one of the same name.
    private mutating func noteReplaced(_ old: Int, _ content: FetchedContent) {
        guard let object = content.objects[old] as? NSManagedObject, let new = shift.present(of: old) else { return }
        updates.removeAll { $0.old == old }
        moves.append(ObjectChange(object: object, type: .move, old: old, new: new))
    }

    // MARK: Collection difference

    var difference: CollectionDifference<NSManagedObjectID>? {
        CollectionDifference(
            objects.flatMap { change -> [CollectionDifference<NSManagedObjectID>.Change] in
                let id = change.object.objectID
                return [
                    change.old.map { .remove(offset: $0, element: id, associatedWith: change.new) },
                    change.new.map { .insert(offset: $0, element: id, associatedWith: change.old) },
                ].compactMap { $0 }
            })
    }
}

extension FetchedChanges {
    /// What an event or merge does to results, with the objects at the positions that it names: the results may change again
    /// before it is reported.
    struct Event {
        typealias Insertion = (insertion: LiveDifference.Insertion, object: NSManagedObject)

        /// A result that is where it was, relative to the others.
        struct Stay {
            /// Among the present results.
            let position: Int
            let object: NSManagedObject
            /// Whether its values may have changed.
            let isUpdated: Bool
        }

        let difference: LiveDifference
        /// Those of the difference.
        private(set) var insertions: [Insertion] = []
        /// Those whose values, section or object may be others, ascending.
        private(set) var stays: [Stay] = []

        var isEmpty: Bool { difference.removals.isEmpty && insertions.isEmpty && stays.isEmpty }

        /// - Parameters:
        ///   - changed: present positions of results that the event may have changed.
        ///   - count: the number of results after the event.
        ///   - object: the result at a present position.
        /// - Returns: `nil` if an object is missing.
        init?(
            _ difference: LiveDifference, changed: Set<Int>, of count: Int, _ change: GraphChanges,
            _ object: (Int) -> NSManagedObject?
        ) {
            self.difference = difference
            for insertion in difference.insertions {
                guard let object = object(insertion.position) else { return nil }
                insertions.append((insertion, object))
            }
            var touched = changed.union(difference.updates.lazy.map(\.position))
            // Anything may have changed while results were not followed.
            if difference.isRefetched || change.isOverflow { touched = Set(0..<count) }
            touched.subtract(insertions.lazy.map(\.insertion.position))
            for position in touched.sorted() {
                guard let object = object(position) else { return nil }
                let isUpdated = change.isOverflow || changed.contains(position)
                stays.append(Stay(position: position, object: object, isUpdated: isUpdated))
            }
        }
    }
}
