import CoreData
import Foundation
import Testing

@Suite("Fetched properties")
struct FetchedPropertyTests {
    private func stack(_ predicate: String) throws -> TestStack {
        let model = Zoo.model()
        let animal = try #require(model.entitiesByName["Animal"])
        let property = NSFetchedPropertyDescription()
        property.name = "found"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Animal")
        request.entity = animal
        request.predicate = NSPredicate(format: predicate)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        property.fetchRequest = request
        animal.properties.append(property)
        return try TestStack(model: model)
    }

    private func names(_ object: NSManagedObject) -> [String]? {
        (object.value(forKey: "found") as? [NSManagedObject])?.compactMap { $0.value(forKey: "name") as? String }
    }

    @Test("A fetched property gives the results of its request for the object, in order, including unsaved objects")
    func source() throws {
        let stack = try stack("age > $FETCH_SOURCE.age AND name != $FETCH_SOURCE.name")
        let animals = ["a", "b", "c"].enumerated().map { stack.insert("Animal", ["name": $1, "age": $0]) }
        try stack.context.save()
        #expect(names(animals[0]) == ["c", "b"])
        #expect(names(animals[1]) == ["c"])
        stack.insert("Animal", ["name": "d", "age": 9])
        #expect(names(animals[1]) == ["d", "c"])
        stack.context.delete(animals[2])
        #expect(names(animals[1]) == ["d"])
    }

    @Test("The property itself is bound to its variable; reading it changes nothing")
    func property() throws {
        let stack = try stack("$FETCHED_PROPERTY.name == 'found' AND SELF == $FETCH_SOURCE")
        let animal = stack.insert("Animal", ["name": "a"])
        stack.insert("Animal", ["name": "b"])
        try stack.context.save()
        #expect(names(animal) == ["a"])
        #expect(!stack.context.hasChanges)
    }
}
