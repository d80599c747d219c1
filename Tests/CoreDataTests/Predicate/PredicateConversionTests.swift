import CoreData
import Foundation
import Testing

private final class Pet: NSManagedObject {
    @Managed var name: String?
    @Managed var age: Int16
    @Managed var category: PetGroup?
    @Managed var tags: Set<PetTag>
}

private final class PetGroup: NSManagedObject {
    @Managed var name: String?
    @Managed var animals: Set<Pet>
}

private final class PetTag: NSManagedObject {
    @Managed var label: String?
}

@Suite("Swift predicates and sort descriptors in requests")
struct PredicateConversionTests {
    private func format(_ predicate: Predicate<Pet>) throws -> String {
        try #require(NSPredicate(predicate)).formatText
    }

    @Test("Comparisons, logic and optionals convert to the format that a programmer would write")
    func formats() throws {
        #expect(try format(#Predicate { $0.age > 3 }) == "age > 3")
        #expect(try format(#Predicate { $0.name == "Rex" && !($0.age <= 3) }) == "name == \"Rex\" AND (NOT age <= 3)")
        #expect(try format(#Predicate { $0.name == nil || $0.age + 1 == 2 }) == "name == nil OR age + 1 == 2")
        #expect(try format(#Predicate { $0.category?.name == "Mammals" }) == "category.name == \"Mammals\"")
        let names: [String?] = ["Rex", "Tom"]
        #expect(try format(#Predicate { names.contains($0.name) }) == "name IN {\"Rex\", \"Tom\"}")
    }

    @Test("Converted predicates fetch the matching rows, through relationships too")
    func fetching() throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "Mammals"])
        for (name, age) in [("Rex", 1), ("Tom", 5), ("Max", 9)] {
            let tag = stack.insert("Tag", ["label": "tag \(name)"])
            let values: [String: Any] = ["name": name, "age": age, "tags": NSSet(object: tag)]
            let animal = stack.insert("Animal", values)
            if age > 3 { animal.setValue(category, forKey: "category") }
        }
        try stack.context.save()
        func names(_ predicate: Predicate<Pet>) throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            let converted = try #require(NSPredicate(predicate))
            request.predicate = converted
            request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Pet.name, order: .reverse))]
            return try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        }
        #expect(try names(#Predicate { $0.age > 3 }) == ["Tom", "Max"])
        #expect(try names(#Predicate { $0.category?.name == "Mammals" && $0.age < 9 }) == ["Tom"])
        #expect(try names(#Predicate { $0.tags.contains { $0.label == "tag Rex" } }) == ["Rex"])
        #expect(try names(#Predicate { $0.tags.allSatisfy { $0.label == "tag Rex" } }) == ["Rex"])
        #expect(try names(#Predicate { ($0.name ?? "").contains("a") }) == ["Max"])
        #expect(try names(#Predicate { ($0.name ?? "").starts(with: "T") || $0.tags.isEmpty }) == ["Tom"])
        #expect(try names(#Predicate { _ in true }) == ["Tom", "Rex", "Max"])
    }

    @Test("CD64 A predicate without a counterpart in the format language converts to nil")
    func unsupported() {
        #expect(NSPredicate(#Predicate<Pet> { ($0.name as Any) is String }) == nil)
    }

    @Test("CD64 A converted SortDescriptor keeps the property's name and the direction")
    func order() {
        let descriptor = NSSortDescriptor(SortDescriptor(\Pet.age, order: .reverse))
        #expect(descriptor.key == "age" && !descriptor.ascending)
    }
}
