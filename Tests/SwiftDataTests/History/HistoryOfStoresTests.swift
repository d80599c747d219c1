import Foundation
import SwiftData
import Testing

@Suite("The history of several stores")
struct HistoryOfStoresTests {
    private struct World {
        let context: ModelContext
        private let folder: TestFolder

        init() throws {
            folder = try TestFolder()
            let gardens = ModelConfiguration(
                "gardens", schema: Schema([Shelf.Garden.self, Shelf.Plant.self]), url: folder.file("gardens.store"))
            let rest = ModelConfiguration("rest", url: folder.file("rest.store"))
            context = ModelContext(
                try ModelContainer(
                    for: Schema([
                        Shelf.Garden.self, Shelf.Plant.self, Shelf.Entry.self, Shelf.DreamEntry.self, Shelf.Topic.self,
                    ]), configurations: [gardens, rest]))
        }

        func saveGarden(_ name: String) throws {
            context.insert(Shelf.Garden(name: name))
            try context.save()
        }

        func saveTopic(_ label: String) throws {
            context.insert(Shelf.Topic(label: label))
            try context.save()
        }

        func history(after token: DefaultHistoryToken? = nil) throws -> [DefaultHistoryTransaction] {
            var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
            if let token { descriptor.predicate = #Predicate { $0.token > token } }
            return try context.fetchHistory(descriptor)
        }
    }

    @Test("Transactions are ordered by time; reading on from the last token misses and repeats none")
    func tokens() throws {
        let world = try World()
        try world.saveGarden("a")
        try world.saveTopic("b")
        try world.saveTopic("c")
        try world.saveGarden("d")
        let all = try world.history()
        #expect(all.map(\.transactionIdentifier) == [1, 1, 2, 2])
        #expect(Set(all.map(\.storeIdentifier)).count == 2)
        #expect(all.map(\.token) == all.map(\.token).sorted())
        for place in all.indices {
            #expect(try world.history(after: all[place].token) == Array(all[(place + 1)...]), "after \(place)")
        }
        let last = try #require(all.last?.token)
        try world.saveTopic("e")
        try world.saveGarden("f")
        #expect(try world.history(after: last).map(\.transactionIdentifier) == [3, 3])
    }

    @Test("History before a token is deleted in every store")
    func forgetting() throws {
        let world = try World()
        for name in ["a", "b", "c"] {
            try world.saveGarden(name)
            try world.saveTopic(name)
        }
        let all = try world.history()
        let token = all[3].token
        try world.context.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < token }))
        #expect(try world.history().map(\.transactionIdentifier) == [2, 2, 3, 3])
        #expect(try world.history(after: token).map(\.transactionIdentifier) == [3, 3])
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.fetchLimit = 3
        try world.context.deleteHistory(descriptor)
        #expect(try world.history() == Array(all.suffix(1)))
    }
}
