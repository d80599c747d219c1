@testable import CoreData
import ObjectGraph
import TestSupport
import Testing

/// Controllers with random changes in a parent, its child, another context of its coordinator, and one of another coordinator that
/// has the file open as another process would. Contexts merge automatically.
@Suite(.timeLimit(.minutes(30))) struct RandomRelatedContextsTests {
    @Test(
        "Tables of related contexts that apply the reports equal a new fetch",
        arguments: Seeds.rounds(8) + [37, 53, 56, 61, 79, 95, 123])
    func follows(_ seed: UInt64) throws {
        let world = try World(seed)
        var done: [String] = []
        for step in 0..<60 {
            let what = try world.step()
            done.append(what)
            world.settle()
            guard let difference = try world.difference() else { continue }
            Issue.record(
                "seed \(seed), step \(step), \(what): \(difference)\n\(done.suffix(14).joined(separator: "\n"))")
            return
        }
        #expect(world.eventCount > 20, "seed \(seed)")
        #expect(world.refetches.isEmpty, "seed \(seed)")
    }

    // Sendable, as blocks of contexts use it: the test waits for each.
    private final class World: @unchecked Sendable {
        private let stack: TestStack
        private let otherStack: TestStack
        private let parent: NSManagedObjectContext
        private let child: NSManagedObjectContext
        private let sibling: NSManagedObjectContext
        private let remote: NSManagedObjectContext
        /// A parent before its child.
        private let contexts: [NSManagedObjectContext]
        private var animals: RandomAnimals
        private var tables: [(controller: NSFetchedResultsController<NSManagedObject>, table: ResultTable)] = []
        private var tokens: [DeletionToken] = []

        init(_ seed: UInt64) throws {
            let options: [String: Any] = [NSPersistentHistoryTrackingKey: true]
            stack = try TestStack(.file, options: options)
            otherStack = try TestStack(.file, addsStore: false)
            try otherStack.coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: stack.fileURL(), options: options)
            (parent, sibling, remote) = (stack.context, stack.newContext(), otherStack.context)
            child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            contexts = [parent, sibling, remote, child]
            animals = RandomAnimals(seed, in: stack)
            try parent.performAndWait {
                for name in ["A", "B", "C"] { stack.insert("Category", ["name": name]) }
                try parent.save()
            }
            for context in contexts {
                let limit = animals.random.chance(30) ? 4 : 0
                try context.performAndWait {
                    context.automaticallyMergesChangesFromParent = true
                    context.mergePolicy = .mergeByPropertyObjectTrump
                    if context !== parent { context.undoManager = UndoManager() }
                    try add(in: context, limit: limit)
                }
            }
        }

        private func add(in context: NSManagedObjectContext, limit: Int) throws {
            let made = [
                stack.controller(in: context),
                stack.controller(sections: "age", NSPredicate(format: "age < 6"), in: context),
                stack.controller(
                    sections: "category.name", NSPredicate(format: "category.rank > 2"), in: context,
                    ["category.name", "weight", "name"]),
            ]
            made[0].fetchRequest.fetchLimit = limit
            for controller in made {
                let table = ResultTable()
                controller.delegate = table
                try controller.performFetch()
                table.load(controller)
                tables.append((controller, table))
            }
        }

        private func name(_ context: NSManagedObjectContext) -> String {
            zip(["parent", "sibling", "remote", "child"], contexts).first { $1 === context }?.0 ?? ""
        }

        // MARK: Steps

        /// - Returns: a description of the step.
        func step() throws -> String {
            guard let context = animals.random.pick([parent, sibling, remote, child, child, child]) else { return "" }
            return try "\(name(context)): \(act(context))"
        }

        /// Contexts are used on their queues only, as others merge at any time.
        private func act(_ context: NSManagedObjectContext) throws -> String {
            switch animals.random.roll(16) {
            case 0..<8: return try context.performAndWait { try edit(context) }
            case 8..<11: return try context.performAndWait { try save(context) }
            case 11: return context.performAndWait { undo(context) }
            case 12: return try context.performAndWait { try rollback(context) }
            case 13: return try batchDelete(executor(context))
            case 14: return try restore(context)
            default: return try batchUpdate(executor(context))
            }
        }

        /// A child is not notified of what its parent gives up.
        private func rollback(_ context: NSManagedObjectContext) throws -> String {
            if context === parent { return try save(context) }
            context.rollback()
            return "rollback"
        }

        /// Edits of a parent are saved at once, and none is of an unsaved object: a child merges what its parent saves.
        private func edit(_ context: NSManagedObjectContext) throws -> String {
            var done: [String] = []
            if context === parent { done.append(try save(context)) }
            for _ in 0..<1 + animals.random.roll(4) { done.append(try animals.edit(context)) }
            if context === parent { done.append(try save(context)) }
            return done.joined(separator: ", ")
        }

        private func save(_ context: NSManagedObjectContext) throws -> String {
            try context.save()
            return "save"
        }

        private func undo(_ context: NSManagedObjectContext) -> String {
            if animals.random.chance(60) { context.undo() } else { context.redo() }
            return "undo or redo"
        }

        private func batchDelete(_ context: NSManagedObjectContext) throws -> String {
            if let token = try context.performAndWait({ try deleteTwo(context) }) { tokens.append(token) }
            return "batch delete"
        }

        private func deleteTwo(_ context: NSManagedObjectContext) throws -> DeletionToken? {
            let request = stack.request(animals.random.chance(25) ? "Category" : "Animal")
            request.fetchLimit = 2
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            (delete.mergesIntoLiveContexts, delete.archivesRows) = (true, true)
            return try (context.execute(delete) as? NSBatchDeleteResult)?.deletionToken
        }

        private func batchUpdate(_ context: NSManagedObjectContext) throws -> String {
            let merging = context === remote ? [remote] : [parent, sibling, child]
            let age = animals.random.roll(8)
            try context.performAndWait { try context.updateAges(over: 4, to: age, mergingInto: merging) }
            return "batch update"
        }

        private func restore(_ context: NSManagedObjectContext) throws -> String {
            guard !tokens.isEmpty else { return "nothing to restore" }
            let token = tokens.remove(at: animals.random.roll(tokens.count))
            let coordinator = context === remote ? otherStack.coordinator : stack.coordinator
            return "restore \(try coordinator.restoreSkippingConflicts(token).count)"
        }

        /// Batch requests are executed by a context of a coordinator.
        private func executor(_ context: NSManagedObjectContext) -> NSManagedObjectContext {
            context === child ? parent : context
        }

        /// Waits until all contexts have merged.
        func settle() {
            for context in contexts { context.performAndWait {} }
        }

        // MARK: Comparing

        var refetches: [LiveRefetch: Int] {
            tables.reduce(into: [:]) { total, table in
                total.merge(table.controller.results.followed?.results.counts.refetches ?? [:], uniquingKeysWith: +)
            }
        }

        var eventCount: Int { tables.reduce(0) { $0 + $1.table.eventCount } }

        func difference() throws -> String? {
            for context in contexts {
                if let difference = try context.performAndWait({ try difference(in: context) }) {
                    return "a table of \(name(context)) \(difference)"
                }
            }
            return nil
        }

        private func difference(in context: NSManagedObjectContext) throws -> String? {
            for (controller, table) in tables where controller.managedObjectContext === context {
                if let difference = try table.difference(from: controller) { return difference }
            }
            return nil
        }
    }
}
