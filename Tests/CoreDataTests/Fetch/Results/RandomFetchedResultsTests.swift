@testable import CoreData
import ObjectGraph
import TestSupport
import Testing

/// Controllers with random changes in several contexts: a table that only applies the reports equals a new fetch after every event.
@Suite struct RandomFetchedResultsTests {
    @Test("Tables that apply the reports equal a new fetch", arguments: Seeds.rounds(12))
    func follows(_ seed: UInt64) throws { try run(seed, World(seed)) }

    @Test("So do tables of windows, batches, and sections that are not sorted by", arguments: Seeds.rounds(8))
    func followsOthers(_ seed: UInt64) throws { try run(seed &+ 100, World(seed &+ 100, isVaried: true)) }

    private func run(_ seed: UInt64, _ world: World) throws {
        var world = world
        var done: [String] = []
        for step in 0..<80 {
            let what = try world.step()
            done.append(what)
            for context in world.contexts { context.processPendingChanges() }
            if let difference = try world.difference() {
                Issue.record("seed \(seed), step \(step), \(what): \(difference)\n\(done.suffix(14))")
                return
            }
        }
        #expect(world.eventCount > 20, "seed \(seed)")
        #expect(world.refetches.isEmpty, "seed \(seed)")
    }

    struct World {
        let stack: TestStack
        let contexts: [NSManagedObjectContext]
        private var tables: [(controller: NSFetchedResultsController<NSManagedObject>, table: ResultTable)] = []
        private var animals: RandomAnimals

        init(_ seed: UInt64, isVaried: Bool = false) throws {
            stack = try TestStack()
            animals = RandomAnimals(seed, in: stack)
            contexts = [stack.context, stack.newContext()]
            for context in contexts {
                context.mergePolicy = .mergeByPropertyObjectTrump
                context.undoManager = UndoManager()
            }
            for name in ["A", "B", "C"] { stack.insert("Category", ["name": name]) }
            try stack.context.save()
            for (index, context) in contexts.enumerated() {
                if isVaried {
                    try add(varied(in: context))
                } else {
                    try add(controllers(in: context, limit: seed % 3 == UInt64(index) ? 4 : 0))
                }
            }
        }

        private func controllers(
            in context: NSManagedObjectContext, limit: Int
        ) -> [NSFetchedResultsController<NSManagedObject>] {
            let made = [
                stack.controller(in: context),
                stack.controller(sections: "age", NSPredicate(format: "age < 6"), in: context),
                stack.controller(
                    sections: "category.name", NSPredicate(format: "category != nil"), in: context,
                    ["category.name", "name"]),
                stack.controller(
                    sections: "category.name", NSPredicate(format: "category.rank > 2"), in: context,
                    ["category.rank", "category.name", "age", "name"]),
            ]
            made[0].fetchRequest.fetchLimit = limit
            return made
        }

        /// A window, an offset alone, a batch size, and sections by key paths.
        private func varied(in context: NSManagedObjectContext) -> [NSFetchedResultsController<NSManagedObject>] {
            let made = [
                stack.controller(sections: "age", in: context),
                stack.controller(in: context, ["category.name", "name"]),
                stack.controller(in: context),
                stack.controller(
                    sections: "category.name", NSPredicate(format: "ANY category.animals.age > 3"), in: context,
                    ["category.name", "weight", "name"]),
                stack.controller(sections: "category.rank", in: context, ["category.rank", "name"]),
            ]
            (made[0].fetchRequest.fetchOffset, made[0].fetchRequest.fetchLimit) = (2, 5)
            made[1].fetchRequest.fetchOffset = 3
            made[2].fetchRequest.fetchBatchSize = 3
            return made
        }

        private mutating func add(_ made: [NSFetchedResultsController<NSManagedObject>]) throws {
            for controller in made {
                let table = ResultTable()
                controller.delegate = table
                try controller.performFetch()
                table.load(controller)
                tables.append((controller, table))
            }
        }

        /// Why requests were fetched again although they can be followed.
        var refetches: [LiveRefetch: Int] {
            tables.reduce(into: [:]) { total, table in
                total.merge(table.controller.results.followed?.results.counts.refetches ?? [:], uniquingKeysWith: +)
            }
        }

        var eventCount: Int { tables.reduce(0) { $0 + $1.table.eventCount } }

        /// - Returns: a description of the step.
        mutating func step() throws -> String {
            guard let context = animals.random.pick(contexts) else { return "" }
            let number = context === contexts[0] ? "A" : "B"
            return try "\(number): " + act(context)
        }

        private mutating func act(_ context: NSManagedObjectContext) throws -> String {
            switch animals.random.next() % 16 {
            case 0..<8:
                var done: [String] = []
                for _ in 0..<1 + animals.random.next() % 4 { done.append(try animals.edit(context)) }
                return done.joined(separator: ", ")
            case 8, 9: return try save(context)
            case 10:
                context.rollback()
                return "rollback"
            case 11:
                if animals.random.next() % 2 == 0 { context.undo() } else { context.redo() }
                return "undo or redo"
            case 12: return try batchDelete(context)
            case 13: return try batchUpdate(context)
            case 14:
                if let animal = try animals.pick("Animal", context) {
                    context.refresh(animal, mergeChanges: animals.random.next() % 2 == 0)
                }
                return "refresh"
            default:
                if animals.random.next() % 3 == 0 {
                    context.reset()
                    return "reset"
                }
                context.refreshAllObjects()
                return "refresh all"
            }
        }

        private func save(_ context: NSManagedObjectContext) throws -> String {
            try context.save(mergingInto: contexts)
            return "save"
        }

        private mutating func batchDelete(_ context: NSManagedObjectContext) throws -> String {
            try context.deleteFirst(2, of: stack.request(animals.random.next() % 4 == 0 ? "Category" : "Animal"))
            return "batch delete"
        }

        private mutating func batchUpdate(_ context: NSManagedObjectContext) throws -> String {
            try context.updateAges(over: 4, to: Int(animals.random.next() % 8), mergingInto: contexts)
            return "batch update"
        }

        // MARK: Comparing

        func difference() throws -> String? {
            for (index, (controller, table)) in tables.enumerated() {
                if let difference = try table.difference(from: controller) { return "table \(index) \(difference)" }
            }
            return nil
        }
    }
}
