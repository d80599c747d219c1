import Foundation
import SwiftData
import TestSupport
import Testing

@Suite("Configurations of containers")
struct ConfigurationTests {
    @Test("DV25 CloudKit options make no difference to a container")
    func cloudKit() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("zoo.store")
        for database in [ModelConfiguration.CloudKitDatabase.private("iCloud.zoo"), .none, .automatic] {
            let container = try ModelContainer(
                for: AnimalCategory.self, configurations: ModelConfiguration(url: url, cloudKitDatabase: database))
            let context = ModelContext(container)
            context.insert(AnimalCategory(name: "Mammals"))
            try context.save()
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<AnimalCategory>()) == 1)
        }
    }

    @Test("DV27 propertiesToFetch changes no result, and edits of unlisted properties are saved")
    func propertiesToFetch() throws {
        let container = try makeZoo()
        let setUp = ModelContext(container)
        setUp.insert(Animal(name: "Fox", diet: .carnivorous, age: 3))
        try setUp.save()
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<Animal>()
        descriptor.propertiesToFetch = [\.name]
        let fox = try #require(try context.fetch(descriptor).first)
        #expect(fox.age == 3 && fox.diet == .carnivorous)
        fox.age = 4
        try context.save()
        let read = try #require(try setUp.fetch(FetchDescriptor<Animal>()).first)
        #expect(read.age == 4 && read.name == "Fox")
    }

    @Test("DV28 a model with an R-tree index is stored, and can be fetched by the indexed properties")
    func rtree() throws {
        let container = try Bookshop.container()
        let context = ModelContext(container)
        for size in 1...5 {
            let book = Bookshop.Book(title: "\(size)")
            book.width = Double(size)
            book.height = Double(10 - size)
            context.insert(book)
        }
        try context.save()
        let middle = FetchDescriptor<Bookshop.Book>(
            predicate: #Predicate { $0.width >= 2 && $0.width <= 4 && $0.height < 8 },
            sortBy: [SortDescriptor(\.width)])
        #expect(try ModelContext(container).fetch(middle).map(\.title) == ["3", "4"])
    }

    @Test("A store with allowsSave false can be read, and refuses saves")
    func readOnly() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("zoo.store")
        do {
            let context = ModelContext(
                try ModelContainer(for: Animal.self, configurations: ModelConfiguration(url: url)))
            context.insert(Animal(name: "Fox"))
            try context.save()
        }
        let context = ModelContext(
            try ModelContainer(for: Animal.self, configurations: ModelConfiguration(url: url, allowsSave: false)))
        let fox = try #require(try context.fetch(FetchDescriptor<Animal>()).first)
        fox.name = "Wolf"
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(context.hasChanges)
        context.rollback()
        #expect(fox.name == "Fox")
    }

    @Test("An in-memory store with allowsSave false refuses saves, too")
    func readOnlyInMemory() throws {
        let container = try ModelContainer(
            for: Animal.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: false))
        let context = ModelContext(container)
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 0)
        context.insert(Animal(name: "Fox"))
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 0)
    }

    @Test("DV33 an optional to-many relationship set to nil reads as empty")
    func optionalToMany() throws {
        let context = ModelContext(
            try ModelContainer(for: House.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let house = House(street: "Main")
        context.insert(house)
        house.rooms = nil
        #expect(house.rooms == [])
        try context.save()
        let other = ModelContext(context.container)
        #expect(try other.fetch(FetchDescriptor<House>()).first?.rooms?.isEmpty != false)
        let empty = FetchDescriptor<House>(predicate: #Predicate { $0.rooms?.isEmpty == true })
        #expect(try other.fetchCount(empty) == 1)
    }
}
