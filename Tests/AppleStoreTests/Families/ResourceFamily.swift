import Foundation
import StoreSQL
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// Inferred inverses, one-to-one, to-one without inverse.
enum ResourceFamily: StoreFamily {
    static var schema: Schema { Schema([Item.self]) }
    static let someTable = "ZITEM"

    static func fill(_ context: ModelContext) throws {
        let items = ["Axe", "Stick", "Rope", "Nail", "Unused"].map(Item.init)
        for item in items { context.insert(item) }
        let components = [Component(items[1]), Component(items[2], count: 3)]
        context.insert(CraftingRecipe(items[0], components: components))
        context.insert(CraftingRecipe(items[2], count: "10", components: [Component(items[1], count: 7)]))
        context.insert(CraftingRecipe(nil))
        context.insert(Component(nil, count: 0))
    }

    static func expectAgreement(_ context: ModelContext, _ contents: StoreContents) throws {
        try ModelAgreement<Component>("ZCOMPONENT", entity: 1) { component in
            [
                "ZCOUNT": .cell(.integer(Int64(component.count))), "ZID": .cell(Cell(component.id)),
                "ZITEM": .cell(Cell(component.item?.key)),
                "ZCRAFTINGRECIPE": .cell(Cell(component.craftingRecipe?.key)),
            ]
        }.expect(context, contents)
        let recipes = try ModelAgreement<CraftingRecipe>("ZCRAFTINGRECIPE", entity: 2) { recipe in
            [
                "ZPRODUCEDITEM": .cell(Cell(recipe.producedItem?.key)),
                "ZPRODUCEDITEMCOUNT": .cell(Cell(recipe.producedItemCount)),
            ]
        }.expect(context, contents)
        try ModelAgreement<Item>("ZITEM", entity: 3) { item in
            ["ZNAME": .cell(Cell(item.name)), "ZCRAFTINGRECIPE": .cell(Cell(item.craftingRecipe?.key))]
        }.expect(context, contents)
        let componentKeys = contents.keys("Z_PK", of: "ZCOMPONENT", by: "ZCRAFTINGRECIPE")
        for recipe in recipes {
            #expect(recipe.requiredComponents.map(\.key) == componentKeys[recipe.key, default: []])
            #expect(recipe.requiredComponents.allSatisfy { $0.craftingRecipe === recipe })
            if let item = recipe.producedItem { #expect(item.craftingRecipe === recipe) }
        }
    }
}
