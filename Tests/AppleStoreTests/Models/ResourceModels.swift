import Foundation
import SwiftData

// There is no explicit inverse: those between recipe and component, and between recipe and item, are inferred.

@Model
final class Item {
    @Attribute(.unique) var name: String
    var craftingRecipe: CraftingRecipe?

    init(_ name: String) {
        self.name = name
    }
}

@Model
final class CraftingRecipe {
    var producedItem: Item?
    var producedItemCount: String
    var requiredComponents: [Component]

    init(_ producedItem: Item?, count: String = "1", components: [Component] = []) {
        self.producedItem = producedItem
        producedItemCount = count
        requiredComponents = components
    }
}

@Model
final class Component {
    var id = UUID()
    var item: Item?
    var count: Int
    var craftingRecipe: CraftingRecipe?

    init(_ item: Item?, count: Int = 1) {
        self.item = item
        self.count = count
    }
}
