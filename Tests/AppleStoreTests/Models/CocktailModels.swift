import Foundation
import SwiftData

@Model
final class Cocktail {
    #Index<Cocktail>([\.cocktailName], [\.collectionName], [\.cocktailName, \.collectionName])

    var id = UUID()
    @Attribute(.unique) var cocktailName: String
    var glasswareType: Glassware
    var garnish: [Garnish]
    var ice: Ice?
    var author: Author?
    @Relationship(deleteRule: .cascade) var spec: [Ingredient]
    var buildOrder: Build?
    var notes: String?
    var compiledTags: Tags
    var variation: Variation?
    var variationName: String?
    var collection: CocktailCollection?
    var collectionName: String
    var titleCocktail: Bool?
    var historicSpec: HistoricSpec?
    var favorite: Bool
    var isCustomCocktail: Bool

    init(
        _ name: String, glassware: Glassware = .coupe, garnish: [Garnish] = [], spec: [Ingredient] = [],
        author: Author? = nil, tags: Tags = Tags(), collection: CocktailCollection? = nil, collectionName: String = ""
    ) {
        cocktailName = name
        glasswareType = glassware
        self.garnish = garnish
        self.spec = spec
        self.author = author
        compiledTags = tags
        self.collection = collection
        self.collectionName = collectionName
        favorite = false
        isCustomCocktail = false
    }
}

@Model
final class Garnish {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Cocktail.garnish) var cocktails: [Cocktail]?

    init(_ name: String) {
        self.name = name
    }
}

@Model
final class Ingredient {
    var id = UUID()
    var ingredientBase: IngredientBase
    var value: Double
    var unit: MeasurementUnit

    init(_ base: IngredientBase, _ value: Double, _ unit: MeasurementUnit = .oz) {
        ingredientBase = base
        self.value = value
        self.unit = unit
    }
}

@Model
final class IngredientBase {
    var id = UUID()
    @Attribute(.unique) var name: String
    var info: String?
    var umbrellaCategory: String
    var baseCategory: String
    var specialtyCategory: String
    var tags: Tags?
    var prep: Prep?
    var isCustom: Bool

    init(_ name: String, umbrella: String = "", tags: Tags? = nil, prep: Prep? = nil) {
        self.name = name
        umbrellaCategory = umbrella
        baseCategory = ""
        specialtyCategory = ""
        self.tags = tags
        self.prep = prep
        isCustom = false
    }
}
