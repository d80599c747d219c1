import Foundation
import SwiftData
import Testing

/// Relationships without inverse whose destination is deleted: they read as nil, and every predicate treats them as nil, whether it
/// is evaluated by SQLite or in memory.
@Suite("Relationships to deleted rows")
struct DanglingKeyTests {
    @Model final class Item {
        var name: String
        @Relationship(inverse: nil) var twin: Item?
        init(_ name: String) { self.name = name }
    }

    @Model final class Tab {
        var number: Int
        var note = ""
        @Relationship(inverse: nil) var favourite: Item?
        init(_ number: Int) { self.number = number }
    }

    /// Tab 1 refers to a deleted item, 2 to none, 3 to an existing one, 4 to one whose twin is deleted.
    private func filled() throws -> (ModelContext, item: Item, gone: PersistentIdentifier) {
        let context = ModelContext(
            try ModelContainer(
                for: Tab.self, Item.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let (gone, item, half) = (Item("gone"), Item("there"), Item("half"))
        for model in [gone, item, half] { context.insert(model) }
        half.twin = gone
        for (number, favourite) in [(1, gone), (2, nil), (3, item), (4, half)] {
            let tab = Tab(number)
            context.insert(tab)
            tab.favourite = favourite
        }
        try context.save()
        let id = gone.persistentModelID
        context.delete(gone)
        try context.save()
        return (context, item, id)
    }

    /// By SQLite, and in a context whose unsaved edits make the predicate be evaluated in memory.
    private func numbers(_ predicate: Predicate<Tab>, _ context: ModelContext) throws -> [Int] {
        let descriptor = FetchDescriptor<Tab>(predicate: predicate, sortBy: [SortDescriptor(\.number)])
        let reader = ModelContext(context.container)
        let stored = try reader.fetch(descriptor).map(\.number)
        #expect(try reader.fetchCount(descriptor) == stored.count)
        #expect(try reader.fetchIdentifiers(descriptor).count == stored.count)
        for tab in try reader.fetch(FetchDescriptor<Tab>()) { tab.note = "edited" }
        for item in try reader.fetch(FetchDescriptor<Item>()) { item.name += "!" }
        #expect(try reader.fetch(descriptor).map(\.number) == stored, "memory and SQLite differ")
        return stored
    }

    @Test("Comparisons with nil are evaluated as for a missing destination")
    func comparedWithNil() throws {
        let (context, _, _) = try filled()
        #expect(try numbers(#Predicate { $0.favourite == nil }, context) == [1, 2])
        #expect(try numbers(#Predicate { $0.favourite != nil }, context) == [3, 4])
        #expect(try numbers(#Predicate { !($0.favourite == nil) }, context) == [3, 4])
        #expect(try numbers(#Predicate { $0.favourite == nil && $0.number < 2 || $0.number == 3 }, context) == [1, 3])
    }

    @Test("Chains of such relationships are evaluated as for a missing destination")
    func chains() throws {
        let (context, _, _) = try filled()
        #expect(try numbers(#Predicate { $0.favourite?.twin == nil }, context) == [1, 2, 3, 4])
        #expect(try numbers(#Predicate { $0.favourite?.twin != nil }, context) == [])
        #expect(try numbers(#Predicate { $0.favourite?.name == nil }, context) == [1, 2])
    }

    @Test("Comparisons with a model, and with the deleted row's identifier, are evaluated the same way")
    func comparedWithModels() throws {
        let (context, item, gone) = try filled()
        let id = item.persistentModelID
        #expect(try numbers(#Predicate { $0.favourite?.persistentModelID == id }, context) == [3])
        #expect(try numbers(#Predicate { $0.favourite?.persistentModelID != id }, context) == [1, 2, 4])
        #expect(try numbers(#Predicate { $0.favourite?.persistentModelID == gone }, context) == [])
    }
}
