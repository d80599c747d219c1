import CoreData
import ObjectGraph
import TestSupport
import Testing

/// Contexts that never merge other contexts' saves, with random changes: after a save, saved objects equal their rows.
///
/// `OPENSWIFTDATA_STALE_SEEDS=0-999` runs these seeds, `OPENSWIFTDATA_STALE_SEEDS=17` runs one.
@Suite struct RandomStaleTests {
    private static let seeds = Seeds.chosen(by: "OPENSWIFTDATA_STALE_SEEDS")?.map { Int($0) } ?? Array(0..<12)

    enum Policy: CaseIterable {
        case storeTrump, rollback, objectTrump, overwrite

        var policy: NSMergePolicy {
            switch self {
            case .storeTrump: .mergeByPropertyStoreTrump
            case .rollback: .rollback
            case .objectTrump: .mergeByPropertyObjectTrump
            case .overwrite: .overwrite
            }
        }
    }

    @Test("After a save, the objects that it wrote equal their rows", arguments: Policy.allCases)
    func saves(policy: Policy) throws {
        var failures = 0
        for seed in Self.seeds {
            guard let failure = try run(seed, policy) else { continue }
            failures += 1
            Issue.record("OPENSWIFTDATA_STALE_SEEDS=\(seed), \(policy), \(failure)")
        }
        if Self.seeds.count > 12 { print("\(policy): \(Self.seeds.count) seeds, \(failures) failures") }
    }

    /// - Returns: the first unexpected difference.
    private func run(_ seed: Int, _ policy: Policy) throws -> String? {
        var world = try RandomMergeTests.World(seed, policy.policy, merges: false)
        for step in 0..<60 {
            let context = world.contexts[Int(world.next() % 3)]
            context.processPendingChanges()
            // An object whose edits cancel out is not written, and its row is not read.
            let unedited = context.updatedObjects.filter { $0.changedValues().isEmpty }
            let saves = Recorded(.NSManagedObjectContextDidSave, object: context)
            let what: String
            do { what = try world.step(context) } catch {
                context.rollback()
                return "step \(step): \(error)"
            }
            guard what == "save" else { continue }
            if context.hasChanges { return "step \(step): there are changes after a save" }
            let saved = saves.objects(NSInsertedObjectsKey).union(saves.objects(NSUpdatedObjectsKey))
            if let difference = difference(saved.subtracting(unedited), context, world.stack.newContext()) {
                return "step \(step): \(difference)"
            }
        }
        return nil
    }

    private func difference(
        _ saved: Set<NSManagedObject>, _ context: NSManagedObjectContext, _ fresh: NSManagedObjectContext
    ) -> String? {
        for object in saved where object.managedObjectContext === context && !object.isFault {
            guard let twin = try? fresh.existingObject(with: object.objectID) else {
                return "\(object.objectID) is not stored"
            }
            let (mine, stored) = (ownContents(of: object), ownContents(of: twin))
            if mine != stored { return "\(object.objectID) is \(mine), stored \(stored)" }
        }
        return nil
    }

    /// The values in the row itself: members of to-many relationships are in rows of others.
    private func ownContents(of object: NSManagedObject) -> String {
        let toOne = object.entity.relationshipsByName.filter { !$0.value.isToMany }.keys
        return (object.entity.attributesByName.keys.filter { $0 != "note" } + toOne).sorted().map { name in
            let value = object.value(forKey: name)
            let text = (value as? NSManagedObject)?.objectID.uriRepresentation().path ?? value.map { "\($0)" } ?? "nil"
            return "\(name)=\(text)"
        }.joined(separator: " ")
    }
}
