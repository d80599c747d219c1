import Foundation
import SwiftData
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// Rows whose version counter is at its maximum, or is no valid version, as only a damaged file has them.
@Suite("Rows with damaged versions")
struct DamagedVersionTests {
    @Model final class Person {
        var name = ""
        var pet: Pet?
        init() {}
    }

    @Model final class Pet {
        @Relationship(inverse: \Person.pet) var owner: Person?
        init() {}
    }

    enum Way: CaseIterable { case object, predicate, plan, keptPlan }

    private func filled(version: String) throws -> ModelContainer {
        let container = try ModelContainer(
            for: Person.self, Pet.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let person = Person()
        context.insert(person)
        person.pet = Pet()
        try context.save()
        let store = try #require(container.store as? SQLiteStore)
        try store.pool.withWriter { try $0.execute("UPDATE ZPERSON SET Z_OPT = \(version)") }
        return container
    }

    private static let versions = [
        "9223372036854775807", "9223372036854775806", "9223372036854775805", "9.3e18", "-9223372036854775808", "'x'",
    ]

    @Test("Related rows can be deleted, and the row's reference is cleared", arguments: versions, Way.allCases)
    func cleared(version: String, way: Way) throws {
        let container = try filled(version: version)
        let context = ModelContext(container)
        let person = try #require(try context.fetch(FetchDescriptor<Person>()).first)
        #expect(person.name.isEmpty)
        switch way {
        case .object: for pet in try context.fetch(FetchDescriptor<Pet>()) { context.delete(pet) }
        case .predicate: try context.delete(model: Pet.self)
        case .plan: try context.deletionPlan(for: Pet.self).execute()
        case .keptPlan:
            let token = try #require(try context.deletionPlan(for: Pet.self).executeAndArchive())
            try container.restore(token)
            #expect(try context.fetch(FetchDescriptor<Person>()).first?.pet != nil)
            try context.deletionPlan(for: Pet.self).execute()
        }
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Person>()).first?.pet == nil)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Person>()).first?.pet == nil)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Pet>()) == 0)
    }

    @Test("The row can be saved any number of times, and conflicts are detected", arguments: versions)
    func saved(version: String) throws {
        let container = try filled(version: version)
        let (context, other) = (ModelContext(container), ModelContext(container))
        let person = try #require(try context.fetch(FetchDescriptor<Person>()).first)
        let theirs = try #require(try other.fetch(FetchDescriptor<Person>()).first)
        for round in 0..<4 {
            person.name = "\(round)"
            try context.save()
        }
        theirs.pet = nil
        try other.save()
        let stored = try #require(try ModelContext(container).fetch(FetchDescriptor<Person>()).first)
        #expect(stored.name == "3" && stored.pet == nil)
        let store = try #require(container.store as? SQLiteStore)
        let kinds = try store.pool.withWriter { connection in
            try connection.withStatement("SELECT typeof(Z_OPT) FROM ZPERSON") { try $0.step() ? $0.text(at: 0) : "" }
        }
        #expect(kinds == "integer")
    }
}
