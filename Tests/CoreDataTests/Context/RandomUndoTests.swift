import CoreData
import ObjectGraph
import StoreTestSupport
import Testing

/// Random changes, undone to the beginning and redone to the end: each state reappears on the way.
@Suite struct RandomUndoTests {
    @Test("Every step is undone to the state before it and redone to the state after it", arguments: 0..<16)
    func steps(_ seed: Int) throws {
        var digest = BehaviourDigest()
        try run(seed, &digest)
    }

    func run(_ seed: Int, options: [String: Any] = [:], _ digest: inout BehaviourDigest) throws {
        var random = RandomMergeTests.Generator(state: UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 11)
        let stack = try TestStack(options: options)
        let context = stack.context
        defer { digest.add(stack, seenBy: [context]) }
        for number in 0..<3 { try stack.saveFamily("Family \(number)", animals: 3) }
        stack.insert("Person", ["name": "Eve"])
        stack.insert("Tag", ["label": "red"])
        try context.save()
        context.undoManager = UndoManager()
        context.propagatesDeletesAtEndOfEvent = seed % 4 != 0
        var states = [try state(of: context)]
        for step in 0..<12 {
            let what = try edit(stack, &random)
            context.processPendingChanges()
            states.append(try state(of: context))
            digest.add("step \(step)", [what, states.last ?? ""])
            check(context, "seed \(seed), step \(step), \(what)")
        }
        let count = context.undoManager?.undoCount ?? 0
        let distinct = states.indices.filter { $0 == 0 || states[$0] != states[$0 - 1] }.map { states[$0] }
        var met = [try state(of: context)]
        for _ in 0..<count {
            context.undo()
            met.append(try state(of: context))
            check(context, "seed \(seed)")
        }
        digest.add("undone", met)
        #expect(met.last == states.first, "seed \(seed)")
        #expect(Self.isSubsequence(distinct.reversed(), met), "seed \(seed)")
        // A delete that was only marked is redone as a complete delete.
        guard context.propagatesDeletesAtEndOfEvent else { return }
        for _ in 0..<count { context.redo() }
        #expect(try state(of: context) == states.last, "seed \(seed)")
        try context.save()
        #expect(try state(of: stack.newContext()) == states.last, "seed \(seed)")
    }

    /// Marked deletes keep links until the delete rules are applied.
    private func check(_ context: NSManagedObjectContext, _ comment: Comment) {
        guard context.propagatesDeletesAtEndOfEvent else { return }
        #expect(throws: Never.self, comment) { try context.graph.checkInvariants() }
    }

    private static func isSubsequence(_ wanted: [String], _ all: [String]) -> Bool {
        var rest = all[...]
        for state in wanted {
            guard let index = rest.firstIndex(of: state) else { return false }
            rest = rest[index...]
        }
        return true
    }

    private func edit(_ stack: TestStack, _ random: inout RandomMergeTests.Generator) throws -> String {
        func pick(_ entity: String) throws -> NSManagedObject? {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.sortDescriptors = [NSSortDescriptor(key: entity == "Tag" ? "label" : "name", ascending: true)]
            let all = try stack.context.fetch(request)
            return all.isEmpty ? nil : all[Int(random.next() % UInt64(all.count))]
        }
        let choice = random.next() % 6
        switch choice {
        case 0:
            let animal = stack.insert("Animal", ["name": "\(random.next())"])
            animal.setValue(try pick("Category"), forKey: "category")
            animal.setValue(try pick("Person"), forKey: "keeper")
            return "insert"
        case 1:
            try pick("Animal")?.setValue(Int(random.next() % 90), forKey: "age")
            return "edit"
        case 2:
            try pick("Animal")?.setValue(try pick("Category"), forKey: "category")
            return "move"
        case 3:
            guard let tag = try pick("Tag"), let animal = try pick("Animal") else { return "nothing" }
            if random.next() % 3 > 0 {
                animal.mutableSetValue(forKey: "tags").add(tag)
                return "tag"
            }
            // Whether the object has the tag and is in the category.
            animal.mutableSetValue(forKey: "tags").remove(tag)
            try pick("Category")?.mutableSetValue(forKey: "animals").remove(animal)
            return "untag"
        case 4:
            if let animal = try pick("Animal") { stack.context.delete(animal) }
            return "delete animal"
        default:
            if random.next() % 2 == 0, let category = try pick("Category") { stack.context.delete(category) }
            stack.insert("Category", ["name": "\(random.next())"])
            return "delete and insert category"
        }
    }

    /// Results of fetches, by names: identifiers change when deleted objects are inserted again.
    private func state(of context: NSManagedObjectContext) throws -> String {
        var lines: [String] = []
        for (entity, key) in [("Animal", "name"), ("Category", "name"), ("Person", "name"), ("Tag", "label")] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            for object in try context.fetch(request) where !object.isDeleted {
                let attributes = object.entity.attributesByName.keys.filter { $0 != "note" }.sorted()
                    .map { "\(object.value(forKey: $0) ?? "nil")" }
                let links = object.entity.relationshipsByName.keys.sorted().map { name in
                    Self.members(object.value(forKey: name)).compactMap {
                        ($0.value(forKey: $0.entity.name == "Tag" ? "label" : "name") as? String)
                    }.sorted().joined(separator: ",")
                }
                lines.append("\(entity) \(key) \(attributes) \(links)")
            }
        }
        return lines.sorted().joined(separator: "\n")
    }

    private static func members(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        case let object as NSManagedObject: [object]
        default: []
        }
    }
}
