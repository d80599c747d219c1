import CoreData
import ObjectGraph
import StoreTestSupport
import Testing

/// Parents and children with random changes: the changes of a child's save are in its parent, and then in the parent's save.
@Suite struct RandomChildTests {
    @Test("Changes of a child reach its parent and the store completely", arguments: 0..<12)
    func pushes(_ seed: Int) throws {
        var digest = BehaviourDigest()
        try run(seed, &digest)
    }

    func run(
        _ seed: Int, rounds: Int = 6, options: [String: Any] = [:], _ digest: inout BehaviourDigest
    ) throws {
        var random = RandomMergeTests.Generator(state: UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 7)
        let stack = try TestStack(options: options)
        let parent = stack.context
        parent.mergePolicy = .mergeByPropertyObjectTrump
        defer { digest.add(stack, seenBy: [parent]) }
        for round in 0..<rounds {
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            var isMoving = false
            for step in 0..<12 {
                let context = random.next() % 4 == 0 ? parent : child
                let what = try edit(stack, context, &random)
                digest.add("round \(round), step \(step)", [what])
                isMoving = isMoving || context === parent
                // A child learns late of its parent's changes: the parent may have deleted objects that the child links.
                for context in isMoving ? [parent] : [parent, child] {
                    context.processPendingChanges()
                    #expect(throws: Never.self, "seed \(seed), round \(round), step \(step), \(what)") {
                        try context.graph.checkInvariants()
                    }
                }
            }
            let expected = try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).map(\.objectID).count
            let saved = attributesToSave(child)
            try child.save()
            #expect(
                try parent.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == expected, "seed \(seed)")
            #expect(throws: Never.self, "seed \(seed), round \(round)") { try parent.graph.checkInvariants() }
            // What the child saved is what its parent has. Attributes that the child did not edit stay as it read them, whatever
            // the parent edited meanwhile.
            for object in child.registeredObjects where !object.isFault && object.managedObjectContext != nil {
                let twin = try? parent.existingObject(with: object.objectID)
                if twin == nil || twin?.isDeleted == true { continue }
                for name in saved[object] ?? [] {
                    let (mine, theirs) = (object.value(forKey: name), twin?.value(forKey: name))
                    #expect(
                        mine as? NSObject == theirs as? NSObject || "\(mine ?? "")" == "\(theirs ?? "")",
                        "seed \(seed), round \(round), \(object.entity.name ?? "").\(name)")
                }
            }
            try parent.save()
            if let difference = try difference(stack, parent) {
                Issue.record("seed \(seed), round \(round): \(difference)")
                return
            }
        }
    }

    private func attributesToSave(_ context: NSManagedObjectContext) -> [NSManagedObject: Set<String>] {
        var names: [NSManagedObject: Set<String>] = [:]
        for object in context.insertedObjects { names[object] = Set(object.entity.attributesByName.keys) }
        for object in context.updatedObjects {
            names[object] = Set(object.entity.attributesByName.keys).intersection(object.changedValues().keys)
        }
        return names
    }

    private func pick(
        _ entity: String, _ context: NSManagedObjectContext, _ random: inout RandomMergeTests.Generator
    ) throws -> NSManagedObject? {
        let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
            .sorted { $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path }
        return all.isEmpty ? nil : all[Int(random.next() % UInt64(all.count))]
    }

    private func edit(
        _ stack: TestStack, _ context: NSManagedObjectContext, _ random: inout RandomMergeTests.Generator
    ) throws -> String {
        switch random.next() % 8 {
        case 0, 1:
            let animal = stack.insert("Animal", ["name": "\(random.next() % 1000)"], in: context)
            animal.setValue(try pick("Category", context, &random), forKey: "category")
            animal.setValue(try pick("Person", context, &random), forKey: "keeper")
            return "insert animal"
        case 2:
            stack.insert("Category", ["name": "\(random.next())"], in: context)
            stack.insert("Person", ["name": "\(random.next() % 1000)"], in: context)
            if context.parent != nil { stack.insert("Tag", ["label": "\(random.next() % 1000)"], in: context) }
            return "insert others"
        case 3:
            try pick("Animal", context, &random)?.setValue(Int(random.next() % 50), forKey: "age")
            return "edit"
        case 4, 5:
            guard let animal = try pick("Animal", context, &random), let tag = try pick("Tag", context, &random) else {
                return "nothing"
            }
            animal.mutableSetValue(forKey: "tags").add(tag)
            return "tag"
        case 6:
            try pick("Animal", context, &random)?.setValue(try pick("Category", context, &random), forKey: "category")
            return "move"
        default:
            let entity = ["Animal", "Category", "Person"][Int(random.next() % 3)]
            guard let object = try pick(entity, context, &random) else { return "nothing" }
            context.delete(object)
            return "delete \(entity)"
        }
    }

    /// The first difference between the context and a new one.
    private func difference(_ stack: TestStack, _ context: NSManagedObjectContext) throws -> String? {
        let fresh = stack.newContext()
        for object in context.registeredObjects where object.managedObjectContext === context && !object.isFault {
            guard let twin = try? fresh.existingObject(with: object.objectID) else {
                return "\(object.objectID) is not stored"
            }
            let (mine, stored) = (object.contents, twin.contents)
            if mine != stored { return "\(object.objectID) is \(mine), stored \(stored)" }
        }
        return nil
    }
}
