import Foundation
import ObjectGraph
import SQLiteStore

/// The steps of one transaction, with files of large values, while calls to the file system fail.
extension Faults {
    enum Name: String {
        case plain, kept, restoring, purging, saving, batch
    }

    /// - Parameter template: the store it works on; changed to the state before the transaction.
    static func act(_ name: Name, on template: CrashWorld, scratch: String) throws -> Act {
        try template.open().prepare(for: name)
        let done = try template.copy(to: scratch)
        try done.open().perform(name)
        return Act(
            work: { try $0.perform(name) }, before: try template.contents(.included),
            after: try done.contents(.included))
    }
}

extension Faults.Name {
    /// Whether files of large values are created or removed.
    var files: Faults.Files {
        switch self {
        case .plain, .purging, .saving, .batch: .touched
        case .kept, .restoring: .untouched
        }
    }
}

extension SQLiteStore {
    fileprivate func prepare(for name: Faults.Name) throws {
        switch name {
        case .restoring, .purging: try perform(.kept)
        case .plain, .kept, .saving, .batch: break
        }
    }

    fileprivate func perform(_ name: Faults.Name) throws {
        switch name {
        case .plain: _ = try delete(try CrashWorld.request(self))
        case .kept:
            var request = try CrashWorld.request(self)
            request.recovery = .archived()
            _ = try delete(request)
        case .restoring: try Crashes.restore(self)
        case .purging: _ = try purge(.everything)
        case .saving: try savePhotos()
        case .batch: try insertPhotos()
        }
    }

    /// New boxes with photos; one of the boxes with a photo gets another, and one loses it.
    private func savePhotos() throws {
        let (box, slot) = try boxes()
        var changes = ChangeSet()
        changes.insertions = (0..<2).map { number in
            ChangeSet.Insertion(
                id: .temporary(entityName: box.name), entityIndex: box.index,
                values: SlotValues(newBox(box, slot, 100 + number)))
        }
        let ids = try fetchIDs(Query(entityIndex: box.index))
        let snapshots = try snapshots(of: ids).sorted { $0.id < $1.id }.filter { $0.values[slot] != .null }
        for (snapshot, photo) in zip(snapshots, [CrashWorld.photo(200), .null]) {
            guard let own = model.entity(named: snapshot.id.entityName) else { continue }
            var values = snapshot.values
            values[slot] = photo
            changes.updates.append(
                ChangeSet.Update(
                    id: snapshot.id, entityIndex: own.index, expectedVersion: snapshot.version, values: values,
                    changedSlots: [slot], changedToMany: []))
        }
        guard case .saved = try save(changes) else { throw CrashProblem("a save conflicts") }
    }

    private func boxes() throws -> (entity: Entity, photoSlot: Int) {
        let box = try CrashWorld.entity("Box")
        guard let slot = box.attribute(named: "photo")?.slots.first else { throw CrashProblem("no photo") }
        return (box, slot)
    }

    private func newBox(_ box: Entity, _ photoSlot: Int, _ number: Int) -> [Value] {
        box.slots.indices.map { slot in
            slot == photoSlot
                ? CrashWorld.photo(number) : box.attribute(named: "name")?.slots.first == slot ? .text("new") : .null
        }
    }

    private func insertPhotos() throws {
        let (box, slot) = try boxes()
        var number = 0
        _ = try insert(BatchInsert(entityIndex: box.index)) { row in
            guard number < 3 else { return false }
            row = BatchInsert.Row(values: newBox(box, slot, 300 + number), given: Array(box.slots.indices))
            number += 1
            return true
        }
    }
}
