import Foundation
import ObjectGraph
import SQLiteStore

@testable import StoreBrowser

/// A site with permission to write, about a store with values of every type of a form, and links of every shape: dishes on menus
/// (ordered), with courses (mandatory), tags (many to many), a photo of their own (one to one), and lines with ingredients whose
/// own texts repeat.
enum EditedStore {
    static func site(_ change: (inout BrowserOptions) -> Void = { _ in }) throws -> BrowsedStore {
        try BrowsedStore(make) { options in
            options.mayWrite = true
            options.makesBackup = false
            change(&options)
        }
    }

    static func model() throws -> Model {
        var dish = EntityDescription("Dish")
        var size = Attribute("size", .composite, optional: true)
        size.elements = [Attribute("width", .double), Attribute("unit", .string)]
        var folded = Attribute("folded", .string, optional: true)
        folded.derivation = "lowercase:(title)"
        dish.attributes = [
            Attribute("title", .string), Attribute("note", .string, optional: true), Attribute("minutes", .integer16),
            Attribute("rating", .double, optional: true), Attribute("price", .decimal, optional: true),
            Attribute("added", .date, optional: true), Attribute("isHot", .boolean),
            Attribute("tag", .uuid, optional: true), Attribute("site", .uri, optional: true),
            Attribute("photo", .binary, optional: true), size, folded,
        ]
        dish.relationships = [
            Relationship("menu", to: "Menu", .toOne, inverse: "dishes"),
            Relationship("course", to: "Course", .toOne, inverse: "dishes", optional: false),
            Relationship("tags", to: "Tag", .toMany, inverse: "dishes"),
            Relationship("picture", to: "Picture", .toOne, inverse: "dish"),
            Relationship("lines", to: "Line", .toMany, inverse: "dish", deleteRule: .cascade),
        ]
        dish.uniquenessConstraints = [["title"]]
        var menu = EntityDescription("Menu")
        menu.attributes = [Attribute("name", .string)]
        menu.relationships = [Relationship("dishes", to: "Dish", .toMany, inverse: "menu")]
        menu.relationships[0].isOrdered = true
        let named = [("Course", "dishes", Cardinality.toMany, "course"), ("Tag", "dishes", .toMany, "tags")].map {
            name, property, cardinality, inverse in
            var entity = EntityDescription(name)
            entity.attributes = [Attribute("name", .string)]
            entity.relationships = [Relationship(property, to: "Dish", cardinality, inverse: inverse)]
            return entity
        }
        var picture = EntityDescription("Picture")
        picture.attributes = [Attribute("name", .string)]
        picture.relationships = [Relationship("dish", to: "Dish", .toOne, inverse: "picture")]
        var line = EntityDescription("Line")
        line.attributes = [Attribute("amount", .decimal), Attribute("unit", .string)]
        line.relationships = [
            Relationship("dish", to: "Dish", .toOne, inverse: "lines"),
            Relationship("ingredient", to: "Ingredient", .toOne, inverse: "lines"),
        ]
        var ingredient = EntityDescription("Ingredient")
        ingredient.attributes = [Attribute("name", .string)]
        ingredient.relationships = [Relationship("lines", to: "Line", .toMany, inverse: "ingredient")]
        return try Model([dish, menu] + named + [picture, line, ingredient], versionIdentifiers: ["1.0.0"])
    }

    private static func make(at url: URL) throws {
        let model = try model()
        let store = try SQLiteStore(model: model, location: .file(url))
        var changes = ChangeSet()
        func add(_ name: String, _ values: [String: Value]) -> ObjectID {
            let id = ObjectID.temporary(entityName: name)
            guard let entity = model.entity(named: name) else { return id }
            var slots = Array(repeating: Value.null, count: entity.slots.count)
            for (property, value) in values {
                let slot = entity.attribute(named: property)?.slots.first ?? entity.relationship(named: property)?.slot
                if let slot { slots[slot] = value }
            }
            changes.insertions.append(ChangeSet.Insertion(id: id, entityIndex: entity.index, values: SlotValues(slots)))
            return id
        }
        let menus = ["Lunch", "Dinner"].map { add("Menu", ["name": .text($0)]) }
        let courses = ["Starter", "Main"].map { add("Course", ["name": .text($0)]) }
        _ = ["quick", "vegan"].map { add("Tag", ["name": .text($0)]) }
        let pictures = ["soup.png", "roast.png"].map { add("Picture", ["name": .text($0)]) }
        let dishes = ["Bean soup", "Roast", "Crème brûlée"].enumerated().map { place, title in
            add(
                "Dish",
                [
                    "title": .text(title), "minutes": .integer(Int64(20 + place * 10)), "isHot": .integer(1),
                    "added": .real(Double(place) * 86_400 + 0.25), "note": .text("line one\nline two"),
                    "photo": .bytes(Data([1, 2, 3])), "menu": .reference(menus[0]), "course": .reference(courses[1]),
                    "picture": place < 2 ? .reference(pictures[place]) : .null,
                ])
        }
        // Both ends of a one-to-one link have a key.
        for (place, picture) in pictures.enumerated() {
            guard let index = changes.insertions.firstIndex(where: { $0.id == picture }),
                let slot = model.entity(named: "Picture")?.relationship(named: "dish")?.slot
            else { continue }
            changes.insertions[index].values[slot] = .reference(dishes[place])
        }
        let ingredients = ["Flour", "Butter"].map { add("Ingredient", ["name": .text($0)]) }
        for number in 0..<6 {
            _ = add(
                "Line",
                [
                    "amount": .decimal(Decimal(100 * (number + 1))), "unit": .text("g"),
                    "dish": .reference(dishes[number % 3]), "ingredient": .reference(ingredients[number % 2]),
                ])
        }
        if let menu = model.entity(named: "Menu"), let relationship = menu.relationship(named: "dishes") {
            changes.links.append(
                ChangeSet.LinkChange(
                    owner: menus[0], ownerEntityIndex: menu.index, relationshipIndex: relationship.index, added: dishes,
                    removed: [], order: Array(dishes.reversed())))
        }
        _ = try store.save(changes)
    }
}
