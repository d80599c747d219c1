import ObjectGraph

/// Cookbooks own recipes, recipes own steps and lines; authors, tags and shopping lists are only linked; an ingredient in use, and
/// a recipe on a menu, cannot be deleted alone.
enum RecipeModel {
    static func model() throws -> Model {
        try Model(
            [cookbook, recipe, dessert, step, line, ingredient, author, tag, shopping, menu],
            versionIdentifiers: ["2.1.0"])
    }

    private static var cookbook: EntityDescription {
        var entity = EntityDescription("Cookbook")
        entity.attributes = [
            Attribute("title", .string), Attribute("year", .integer32), Attribute("publisher", .string, optional: true),
        ]
        entity.relationships = [
            Relationship("recipes", to: "Recipe", .toMany, inverse: "cookbook", deleteRule: .cascade)
        ]
        entity.uniquenessConstraints = [["title"]]
        return entity
    }

    private static var recipe: EntityDescription {
        var title = Attribute("title", .string)
        title.preservesValueOnDeletion = true
        var entity = EntityDescription("Recipe")
        entity.attributes = [
            title, Attribute("minutes", .integer32), Attribute("rating", .double, optional: true),
            Attribute("added", .date), Attribute("isVegetarian", .boolean), Attribute("note", .string, optional: true),
        ]
        entity.relationships = [
            Relationship("cookbook", to: "Cookbook", .toOne, inverse: "recipes"),
            Relationship("author", to: "Author", .toOne, inverse: "recipes"),
            Relationship("steps", to: "Step", .toMany, inverse: "recipe", deleteRule: .cascade),
            Relationship("lines", to: "Line", .toMany, inverse: "recipe", deleteRule: .cascade),
            Relationship("tags", to: "Tag", .toMany, inverse: "recipes"),
            Relationship("menus", to: "Menu", .toMany, inverse: "dish"),
            Relationship("shopping", to: "ShoppingItem", .toMany, inverse: "recipe"),
        ]
        entity.indexes = [FetchIndex(name: "byTitle", propertyNames: ["title"])]
        return entity
    }

    private static var dessert: EntityDescription {
        var entity = EntityDescription("Dessert", superentity: "Recipe")
        entity.attributes = [Attribute("sugar", .decimal, optional: true)]
        return entity
    }

    private static var step: EntityDescription {
        var entity = EntityDescription("Step")
        entity.attributes = [Attribute("number", .integer16), Attribute("text", .string)]
        entity.relationships = [Relationship("recipe", to: "Recipe", .toOne, inverse: "steps")]
        return entity
    }

    private static var line: EntityDescription {
        var entity = EntityDescription("Line")
        entity.attributes = [Attribute("amount", .decimal), Attribute("unit", .string, optional: true)]
        entity.relationships = [
            Relationship("recipe", to: "Recipe", .toOne, inverse: "lines"),
            Relationship("ingredient", to: "Ingredient", .toOne, inverse: "lines"),
        ]
        return entity
    }

    private static var ingredient: EntityDescription {
        var entity = EntityDescription("Ingredient")
        entity.attributes = [Attribute("name", .string), Attribute("calories", .double, optional: true)]
        entity.relationships = [Relationship("lines", to: "Line", .toMany, inverse: "ingredient", deleteRule: .deny)]
        entity.uniquenessConstraints = [["name"]]
        return entity
    }

    private static var author: EntityDescription {
        var entity = EntityDescription("Author")
        entity.attributes = [
            Attribute("name", .string), Attribute("email", .string, optional: true), Attribute("joined", .date),
        ]
        entity.relationships = [Relationship("recipes", to: "Recipe", .toMany, inverse: "author")]
        return entity
    }

    private static var tag: EntityDescription {
        var entity = EntityDescription("Tag")
        entity.attributes = [Attribute("name", .string)]
        entity.relationships = [Relationship("recipes", to: "Recipe", .toMany, inverse: "tags")]
        return entity
    }

    private static var shopping: EntityDescription {
        var entity = EntityDescription("ShoppingItem")
        entity.attributes = [Attribute("text", .string), Attribute("isDone", .boolean)]
        entity.relationships = [Relationship("recipe", to: "Recipe", .toOne, inverse: "shopping")]
        return entity
    }

    private static var menu: EntityDescription {
        var entity = EntityDescription("Menu")
        entity.attributes = [Attribute("day", .date), Attribute("name", .string)]
        entity.relationships = [Relationship("dish", to: "Recipe", .toOne, inverse: "menus", optional: false)]
        return entity
    }
}
