import Foundation
import Testing

@testable import SQLiteStore
@testable import SwiftData

private enum Bits {
    static let components = 4
    static let craftingRecipe = 0, item = 1, count = 2
    static let recipes = 3
    static let producedItem = 0, producedItemCount = 1, requiredComponents = 2
    static let items = 2
    static let itemRecipe = 0, itemName = 1
}

@Suite("Resource files edited through models")
struct ResourceEditingTests {
    @Test("A one-to-one link is maintained on both sides", arguments: StoreUnderTest.of(ResourceFamily.self))
    func oneToOne(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var (recipe, former, next): (Int64, Int64, Int64) = (0, 0, 0)
            let (differences, before, _) = try file.edit { context in
                let recipes = try context.fetch(FetchDescriptor<CraftingRecipe>())
                let made = try #require(recipes.first { $0.producedItem != nil })
                let old = try #require(made.producedItem)
                let free = try #require(try context.fetch(FetchDescriptor<Item>()).first { $0.craftingRecipe == nil })
                made.producedItem = free
                #expect(old.craftingRecipe == nil)
                #expect(free.craftingRecipe === made)
                (recipe, former, next) = (made.key, old.key, free.key)
            }
            #expect(differences["ZCRAFTINGRECIPE"]?.updated[recipe]?["ZPRODUCEDITEM"] == .integer(next))
            #expect(differences["ZITEM"]?.updated[former]?["ZCRAFTINGRECIPE"] == .null)
            #expect(differences["ZITEM"]?.updated[next]?["ZCRAFTINGRECIPE"] == .integer(recipe))
            try expectHistory(
                [
                    .update(2, recipe, [Bits.producedItem], of: Bits.recipes),
                    .update(3, former, [Bits.itemRecipe], of: Bits.items),
                    .update(3, next, [Bits.itemRecipe], of: Bits.items),
                ], differences, before)
        }
    }

    @Test(
        "A component can be removed from a recipe, and a new one added",
        arguments: StoreUnderTest.of(ResourceFamily.self))
    func oneToMany(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var (recipe, component, new, item): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
            let (differences, before, after) = try file.edit { context in
                let components = try context.fetch(FetchDescriptor<Component>())
                let present = try #require(components.first { $0.craftingRecipe != nil })
                let made = try #require(present.craftingRecipe)
                let thing = Item("Thing of this test")
                let fresh = Component(thing, count: 12)
                made.requiredComponents.append(fresh)
                present.craftingRecipe = nil
                #expect(made.requiredComponents.last === fresh)
                #expect(!made.requiredComponents.contains(present))
                try context.save()
                (recipe, component, new, item) = (made.key, present.key, fresh.key, thing.key)
            }
            #expect(differences["ZCOMPONENT"]?.updated[component]?["ZCRAFTINGRECIPE"] == .null)
            let row = try #require(differences["ZCOMPONENT"]?.inserted[new])
            #expect(row["ZCRAFTINGRECIPE"] == .integer(recipe) && row["ZITEM"] == .integer(item))
            #expect(row["ZCOUNT"] == .integer(12) && row["Z_ENT"] == .integer(1))
            #expect(differences["ZCRAFTINGRECIPE"]?.updated.mapValues { Array($0.keys) } == [recipe: ["Z_OPT"]])
            #expect(after.cell("Z_PRIMARYKEY", 1, "Z_MAX") == .integer(new))
            #expect(new == (before.cell("Z_PRIMARYKEY", 1, "Z_MAX")?.integer ?? 0) + 1)
            try expectHistory(
                [
                    .update(2, recipe, [Bits.requiredComponents], of: Bits.recipes),
                    .update(1, component, [Bits.craftingRecipe], of: Bits.components), .insert(1, new),
                    .insert(3, item),
                ], differences, before)
        }
    }

    @Test(
        "A deleted recipe is nullified in its item and its components",
        arguments: StoreUnderTest.of(ResourceFamily.self))
    func nullify(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var (recipe, item): (Int64, Int64) = (0, 0)
            var components: [Int64] = []
            let (differences, before, _) = try file.edit { context in
                let doomed = try #require(
                    try context.fetch(FetchDescriptor<CraftingRecipe>()).first {
                        $0.producedItem != nil && !$0.requiredComponents.isEmpty
                    })
                (recipe, item) = (doomed.key, try #require(doomed.producedItem).key)
                components = doomed.requiredComponents.map(\.key)
                context.delete(doomed)
            }
            #expect(differences["ZCRAFTINGRECIPE"] == TableDifference(deleted: [recipe]))
            #expect(differences["ZITEM"]?.updated[item]?["ZCRAFTINGRECIPE"] == .null)
            for key in components { #expect(differences["ZCOMPONENT"]?.updated[key]?["ZCRAFTINGRECIPE"] == .null) }
            let expected =
                [HistoryEntry.delete(2, recipe), .update(3, item, [Bits.itemRecipe], of: Bits.items)]
                + components.map { .update(1, $0, [Bits.craftingRecipe], of: Bits.components) }
            try expectHistory(Set(expected), differences, before)
        }
    }

    @Test("A key of a deleted row is read without harm", arguments: StoreUnderTest.of(ResourceFamily.self))
    func dangling(store: StoreUnderTest) throws {
        try store.withFile { url in
            var (component, item): (Int64, Int64) = (0, 0)
            try store.withContext(url) { context in
                let found = try #require(try context.fetch(FetchDescriptor<Component>()).first { $0.item != nil })
                let thing = try #require(found.item)
                (component, item) = (found.key, thing.key)
                context.delete(thing)
                try context.save()
            }
            #expect(try StoreContents(url).rows("ZITEM")[item] == nil)
            try store.withContext(url) { context in
                let found = try #require(try context.fetch(FetchDescriptor<Component>()).first { $0.key == component })
                #expect(found.item?.name ?? "" == "")
                found.count += 1
                try context.save()
                found.item = nil
                try context.save()
            }
            #expect(try StoreContents(url).cell("ZCOMPONENT", component, "ZITEM") == .null)
        }
    }
}
