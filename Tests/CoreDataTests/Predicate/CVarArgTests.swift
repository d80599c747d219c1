import CoreData
import Foundation
import Testing

@Suite("Values cast to CVarArg")
struct CVarArgTests {
    @Test("Values cast to CVarArg keep their type and value in formats")
    func castArguments() {
        let (id, day, link) = (UUID(), Date(timeIntervalSinceReferenceDate: 1), URL(fileURLWithPath: "/a"))
        func holds(_ argument: any CVarArg, _ value: Any) -> Bool {
            NSPredicate(format: "x == %@", argument).evaluate(with: ["x": value])
        }
        #expect(holds(id as CVarArg, id) && holds(day as CVarArg, day) && holds(link as CVarArg, link))
        #expect(!holds(id as CVarArg, UUID()) && !holds(day as CVarArg, Date()))
        #expect(holds(Data([1]) as CVarArg, Data([1])) && holds("a" as CVarArg, "a") && holds(true as CVarArg, true))
        #expect(holds(NSNumber(value: 3) as CVarArg, 3) && holds(Decimal(3) as CVarArg, 3))
        let list = NSPredicate(format: "x IN %@", ["a", "b"] as CVarArg)
        #expect(list.evaluate(with: ["x": "b"]) && !list.evaluate(with: ["x": "c"]))
        #expect(NSPredicate(format: "x IN %@", Set([1, 2]) as CVarArg).evaluate(with: ["x": 2]))
        let arguments: [CVarArg] = [id as CVarArg, 3]
        #expect(NSPredicate(format: "x == %@ AND y == %d", argumentArray: arguments).evaluate(with: ["x": id, "y": 3]))
    }

    @Test("An object and its identifier can be cast to CVarArg")
    func castObjects() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily("Mammals", animals: 2)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
        request.predicate = NSPredicate(format: "category == %@", category as CVarArg)
        #expect(try stack.context.count(for: request) == 2)
        request.predicate = NSPredicate(format: "category == %@", category.objectID as CVarArg)
        #expect(try stack.context.count(for: request) == 2)
    }

    @Test("A value cast to CVarArg is formatted by its description")
    func textFormats() {
        let id = UUID()
        #expect(String(format: "%@-%d", id as CVarArg, 3) == "\(id)-3")
    }
}
