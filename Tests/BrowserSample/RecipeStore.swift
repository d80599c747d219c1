import Foundation
import ObjectGraph
import SQLiteStore

/// Fills a new file, with a save for each cookbook, and some later changes.
struct RecipeStore {
    private let model: Model
    private let store: SQLiteStore
    private let count: Int

    private static let recipesEach = 40

    init(_ file: URL, cookbooks count: Int) throws {
        model = try RecipeModel.model()
        store = try SQLiteStore(model: model, location: .file(file))
        self.count = count
    }

    func make() throws {
        let shared = try shared()
        var recipes: [ObjectID] = []
        for number in 0..<count { recipes += try cookbook(number, shared) }
        try menus(recipes)
        try edits(recipes)
    }

    private struct Shared {
        let ingredients: [ObjectID]
        let authors: [ObjectID]
        let tags: [ObjectID]
    }

    // MARK: Rows

    private func add(_ entity: String, _ values: [String: Value], to changes: inout ChangeSet) -> ObjectID {
        let id = ObjectID.temporary(entityName: entity)
        guard let entity = model.entity(named: entity) else { return id }
        var slots = Array(repeating: Value.null, count: entity.slots.count)
        for (name, value) in values {
            let slot = entity.attribute(named: name)?.slots.first ?? entity.relationship(named: name)?.slot
            if let slot { slots[slot] = value }
        }
        changes.insertions.append(ChangeSet.Insertion(id: id, entityIndex: entity.index, values: SlotValues(slots)))
        return id
    }

    /// - Returns: the permanent identities, in the order they were added.
    private func save(_ changes: ChangeSet) throws -> [ObjectID] {
        guard case .saved(let saved) = try store.save(changes) else { return [] }
        return saved.inserted.map(\.id)
    }

    private func shared() throws -> Shared {
        var changes = ChangeSet()
        changes.author = "import"
        for (place, name) in RecipeWords.ingredients.enumerated() {
            _ = add("Ingredient", ["name": .text(name), "calories": .real(Double(place * 37 % 90) * 10)], to: &changes)
        }
        for (place, name) in RecipeWords.authors.enumerated() {
            let values: [String: Value] = [
                "name": .text(name), "joined": .real(Double(place) * 9e6 + 6e8),
                "email": place % 2 == 0 ? .text("author\(place)@example.org") : .null,
            ]
            _ = add("Author", values, to: &changes)
        }
        for name in RecipeWords.tags { _ = add("Tag", ["name": .text(name)], to: &changes) }
        let ids = try save(changes)
        let (first, second) = (RecipeWords.ingredients.count, RecipeWords.ingredients.count + RecipeWords.authors.count)
        return Shared(
            ingredients: Array(ids[..<first]), authors: Array(ids[first..<second]), tags: Array(ids[second...]))
    }

    private func cookbook(_ number: Int, _ shared: Shared) throws -> [ObjectID] {
        var changes = ChangeSet()
        changes.author = number % 3 == 0 ? "editor" : "import"
        let name = RecipeWords.books[number % RecipeWords.books.count]
        let edition = number / RecipeWords.books.count
        let book = add(
            "Cookbook",
            [
                "title": .text(edition == 0 ? name : "\(name) \(edition + 1)"),
                "year": .integer(Int64(2008 + number % 17)),
                "publisher": RecipeWords.publishers[number % 4].map(Value.text) ?? .null,
            ], to: &changes)
        var places: [Int] = []
        for recipe in 0..<Self.recipesEach {
            places.append(changes.insertions.count)
            addRecipe(number * Self.recipesEach + recipe, book, shared, to: &changes)
        }
        let ids = try save(changes)
        return places.compactMap { $0 < ids.count ? ids[$0] : nil }
    }

    private func addRecipe(_ number: Int, _ book: ObjectID, _ shared: Shared, to changes: inout ChangeSet) {
        let isDessert = number % 8 == 7
        let title =
            isDessert
            ? RecipeWords.sweets[number / 8 % RecipeWords.sweets.count]
            : "\(RecipeWords.manners[number % 10]) \(RecipeWords.things[number * 5 % 12]) \(RecipeWords.sides[number * 3 % 7])"
        var values: [String: Value] = [
            "title": .text(title), "minutes": .integer(Int64(10 + number * 7 % 95)),
            "added": .real(7.2e8 + Double(number) * 40_000), "isVegetarian": .integer(number % 3 == 0 ? 0 : 1),
            "cookbook": .reference(book), "author": .reference(shared.authors[number * 7 % shared.authors.count]),
        ]
        if number % 5 != 0 { values["rating"] = .real(Double(20 + number * 13 % 31) / 10) }
        if number % 11 == 0 { values["note"] = .text("Doubles well.\nKeeps for three days.") }
        if isDessert { values["sugar"] = .decimal(Decimal(80 + number % 120)) }
        let recipe = add(isDessert ? "Dessert" : "Recipe", values, to: &changes)
        for step in 0..<(4 + number % 5) {
            let text = RecipeWords.steps[(step + number) % RecipeWords.steps.count]
            _ = add(
                "Step", ["number": .integer(Int64(step + 1)), "text": .text(text), "recipe": .reference(recipe)],
                to: &changes)
        }
        for line in 0..<(6 + number % 6) {
            var line: [String: Value] = [
                "amount": .decimal(Decimal(number * (line + 3) % 40 + 1) / 2), "recipe": .reference(recipe),
                "ingredient": .reference(shared.ingredients[(number + line * 5) % shared.ingredients.count]),
            ]
            if let unit = RecipeWords.units[number % 6] { line["unit"] = .text(unit) }
            _ = add("Line", line, to: &changes)
        }
        if number % 9 == 0 {
            _ = add(
                "ShoppingItem",
                [
                    "text": .text("For \(title)"), "isDone": .integer(number % 2 == 0 ? 1 : 0),
                    "recipe": .reference(recipe),
                ],
                to: &changes)
        }
        addTags(number, recipe, isDessert ? "Dessert" : "Recipe", shared, to: &changes)
    }

    private func addTags(
        _ number: Int, _ recipe: ObjectID, _ entity: String, _ shared: Shared, to changes: inout ChangeSet
    ) {
        guard let entity = model.entity(named: entity), let tags = entity.relationship(named: "tags") else { return }
        let chosen = Set([number % 8, number * 3 % 8]).sorted().map { shared.tags[$0] }
        changes.links.append(
            ChangeSet.LinkChange(
                owner: recipe, ownerEntityIndex: entity.index, relationshipIndex: tags.index, added: chosen, removed: []
            ))
    }

    // MARK: Later saves

    /// The second cookbook's recipes are on menus.
    private func menus(_ recipes: [ObjectID]) throws {
        var changes = ChangeSet()
        changes.author = "planner"
        for (place, recipe) in recipes.dropFirst(Self.recipesEach).prefix(3).enumerated() {
            _ = add(
                "Menu",
                [
                    "name": .text("Week \(place + 30)"), "day": .real(7.8e8 + Double(place) * 604_800),
                    "dish": .reference(recipe),
                ], to: &changes)
        }
        _ = try save(changes)
    }

    private func edits(_ recipes: [ObjectID]) throws {
        guard let entity = model.entity(named: "Recipe"), let rating = entity.attribute(named: "rating")?.slots.first,
            let minutes = entity.attribute(named: "minutes")?.slots.first
        else { return }
        for round in 0..<6 {
            var changes = ChangeSet()
            changes.author = round % 2 == 0 ? "phone" : "editor"
            let chosen = recipes.enumerated().filter { $0.offset % 13 == round }.map(\.element).prefix(8 - round)
            for row in try store.reading({ try $0.snapshots(of: Array(chosen)) }) where row.id.entityName == "Recipe" {
                var values = row.values
                values[rating] = .real(4.5)
                values[minutes] = .integer(Int64(20 + round))
                changes.updates.append(
                    ChangeSet.Update(
                        id: row.id, entityIndex: entity.index, expectedVersion: row.version, values: values,
                        changedSlots: [rating, minutes].sorted(), changedToMany: []))
            }
            _ = try save(changes)
        }
    }
}
