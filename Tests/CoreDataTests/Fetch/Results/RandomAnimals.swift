import CoreData
import TestSupport

/// Random edits of animals and categories.
struct RandomAnimals {
    var random: SeededGenerator
    private let stack: TestStack
    /// Makes unique names: equal sort keys would leave the order open.
    private var nextName = 0

    init(_ seed: UInt64, in stack: TestStack) {
        random = SeededGenerator(seed: seed)
        self.stack = stack
    }

    mutating func pick(_ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return random.pick(try context.fetch(request))
    }

    private mutating func name() -> String {
        nextName += 1
        return "\(random.next() % 100) \(nextName)"
    }

    /// - Returns: a description of the edit.
    mutating func edit(_ context: NSManagedObjectContext) throws -> String {
        switch random.next() % 8 {
        case 0, 1:
            let animal = stack.insert("Animal", ["name": name(), "age": Int(random.next() % 8)], in: context)
            animal.setValue(try pick("Category", context), forKey: "category")
            return "insert"
        case 2:
            try pick("Animal", context)?.setValue(Int(random.next() % 8), forKey: "age")
            return "age"
        case 3:
            try pick("Animal", context)?.setValue(Double(random.next() % 8), forKey: "weight")
            return "weight"
        case 4:
            try pick("Animal", context)?.setValue(try pick("Category", context), forKey: "category")
            return "category"
        case 5:
            try pick("Category", context)?.setValue(Int(random.next() % 6), forKey: "rank")
            return "rank"
        case 6:
            if random.next() % 3 == 0 {
                if let category = try pick("Category", context) { context.delete(category) }
                stack.insert("Category", ["name": name(), "rank": 3], in: context)
                return "replace category"
            }
            try pick("Category", context)?.setValue(name(), forKey: "name")
            return "rename category"
        default:
            if let animal = try pick("Animal", context) { context.delete(animal) }
            return "delete"
        }
    }
}
