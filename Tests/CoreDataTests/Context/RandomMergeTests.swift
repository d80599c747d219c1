import CoreData
import ObjectGraph
import StoreTestSupport
import Testing

/// Contexts that merge other contexts' random changes: without changes of its own, a context equals the store.
@Suite struct RandomMergeTests {
    @Test("After every merge, objects equal those of a new context", arguments: 0..<12)
    func merges(_ seed: Int) throws {
        var digest = BehaviourDigest()
        try run(seed, &digest)
    }

    func run(_ seed: Int, options: [String: Any] = [:], _ digest: inout BehaviourDigest) throws {
        var world = try World(seed, options: options)
        defer { digest.add(world.stack, seenBy: world.contexts) }
        for step in 0..<60 {
            let what = try world.step()
            digest.add("step \(step)", [what])
            for context in world.contexts {
                context.processPendingChanges()
                #expect(throws: Never.self, "seed \(seed), step \(step), \(what)") {
                    try context.graph.checkInvariants()
                }
            }
            if let difference = try world.difference() {
                Issue.record("seed \(seed), step \(step), \(what): \(difference)")
                return
            }
        }
    }

    struct World {
        private var random: Generator
        let stack: TestStack
        let contexts: [NSManagedObjectContext]
        /// The contexts that merge other contexts' saves.
        let merging: [NSManagedObjectContext]

        init(
            _ seed: Int, options: [String: Any] = [:], _ policy: NSMergePolicy = .mergeByPropertyObjectTrump,
            merges: Bool = true
        ) throws {
            random = Generator(state: UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 1)
            stack = try TestStack(options: options)
            contexts = [stack.context, stack.newContext(), stack.newContext()]
            merging = merges ? contexts : []
            for context in contexts { context.mergePolicy = policy }
        }

        mutating func next() -> UInt64 { random.next() }

        private mutating func pick<Element>(_ elements: [Element]) -> Element? {
            elements.isEmpty ? nil : elements[Int(random.next() % UInt64(elements.count))]
        }

        private func all(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            return try context.fetch(request).sorted {
                $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path
            }
        }

        /// - Returns: a description of the step.
        mutating func step() throws -> String {
            guard let context = pick(contexts) else { return "" }
            return try step(context)
        }

        /// A step of one context.
        mutating func step(_ context: NSManagedObjectContext) throws -> String {
            let choice = random.next() % 14
            switch choice {
            case 0, 1, 2, 3, 4: return try edit(context)
            case 5, 6: return try save(context)
            case 7:
                context.rollback()
                return "rollback"
            case 8: return try batchDelete(context)
            case 9: return try batchUpdate(context)
            case 10:
                if let object = pick(Array(try all("Animal", context))) { context.refresh(object, mergeChanges: true) }
                return "refresh"
            case 11, 12:
                let entity = pick(["Animal", "Category", "Person", "Tag"]) ?? "Animal"
                if let object = pick(Array(try all(entity, context))) { context.refresh(object, mergeChanges: false) }
                return "refresh \(entity) without merging"
            default:
                context.refreshAllObjects()
                return "refresh all"
            }
        }

        private mutating func edit(_ context: NSManagedObjectContext) throws -> String {
            let animals = try all("Animal", context)
            switch random.next() % 7 {
            case 0, 1:
                let animal = stack.insert("Animal", ["name": "\(random.next() % 1000)"], in: context)
                animal.setValue(pick(try all("Category", context)), forKey: "category")
                animal.setValue(pick(try all("Person", context)), forKey: "keeper")
                return "insert animal"
            case 2:
                stack.insert("Category", ["name": "\(random.next())"], in: context)
                stack.insert("Person", ["name": "\(random.next() % 1000)"], in: context)
                stack.insert("Tag", ["label": "\(random.next() % 1000)"], in: context)
                return "insert others"
            case 3:
                pick(animals)?.setValue(Int(random.next() % 50), forKey: "age")
                return "edit"
            case 4:
                guard let animal = pick(animals), let tag = pick(try all("Tag", context)) else { return "nothing" }
                animal.mutableSetValue(forKey: "tags").add(tag)
                return "tag"
            case 5:
                pick(animals)?.setValue(pick(try all("Category", context)), forKey: "category")
                return "move"
            default:
                let entity = pick(["Animal", "Category", "Person", "Tag"]) ?? "Animal"
                guard let object = pick(try all(entity, context)) else { return "nothing" }
                context.delete(object)
                return "delete \(entity)"
            }
        }

        private func save(_ context: NSManagedObjectContext) throws -> String {
            try context.save(mergingInto: merging)
            return "save"
        }

        private mutating func batchDelete(_ context: NSManagedObjectContext) throws -> String {
            let entity = pick(["Animal", "Category", "Person", "Tag"]) ?? "Animal"
            try context.deleteFirst(1, of: stack.request(entity))
            return "batch delete \(entity)"
        }

        private mutating func batchUpdate(_ context: NSManagedObjectContext) throws -> String {
            try context.updateAges(over: 25, to: Int(random.next() % 50), mergingInto: merging)
            return "batch update"
        }

        // MARK: Comparing

        /// The first difference between a context without changes and a new one.
        func difference() throws -> String? {
            let fresh = stack.newContext()
            for (number, context) in contexts.enumerated() where !context.hasChanges {
                for object in context.registeredObjects where object.managedObjectContext === context {
                    guard let twin = try? fresh.existingObject(with: object.objectID) else {
                        if object.isFault || object.isDeleted { continue }
                        return "context \(number) has \(object.objectID), which is not stored"
                    }
                    if object.isFault { continue }
                    let (mine, stored) = (object.contents, twin.contents)
                    if mine != stored { return "context \(number): \(object.objectID) is \(mine), stored \(stored)" }
                }
            }
            return nil
        }
    }

    /// Kept beside `SeededGenerator` because the recorded digests of these random runs depend on its numbers.
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }
}
