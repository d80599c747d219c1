import Foundation
import TestSupport
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// The expected contents of the file after random edits, tracked by the test.
private struct ExpectedBar {
    struct Drink: Equatable {
        var name: String
        var place: String?
        var ice: Ice?
        var flavors: [String]?
        var garnishes: Set<Int64> = []
        var spec: Set<Int64> = []
    }

    var drinks: [Int64: Drink] = [:]
    var garnishes: [Int64: String] = [:]
    /// Amount by ingredient.
    var amounts: [Int64: Double] = [:]
    var owners: [Int64: Int64] { drinks.reduce(into: [:]) { for key in $1.value.spec { $0[key] = $1.key } } }

    init(_ context: ModelContext) throws {
        for drink in try context.fetch(FetchDescriptor<Cocktail>()) {
            drinks[drink.key] = Drink(
                name: drink.cocktailName, place: drink.author?.place, ice: drink.ice,
                flavors: drink.compiledTags.flavors,
                garnishes: Set(drink.garnish.map(\.key)), spec: Set(drink.spec.map(\.key)))
        }
        for garnish in try context.fetch(FetchDescriptor<Garnish>()) { garnishes[garnish.key] = garnish.name }
        for part in try context.fetch(FetchDescriptor<Ingredient>()) { amounts[part.key] = part.value }
    }

    /// The same, found by plain SQL.
    init(_ contents: StoreContents) throws {
        let garnish = contents.keys("Z_2GARNISH", of: "Z_1GARNISH", by: "Z_1COCKTAILS")
        let spec = contents.keys("Z_PK", of: "ZINGREDIENT", by: "Z1SPEC")
        for (key, row) in contents.rows("ZCOCKTAIL") {
            drinks[key] = Drink(
                name: row["ZCOCKTAILNAME"]?.text ?? "?", place: row["ZPLACE"]?.text,
                ice: row["ZICE"]?.text.flatMap(Ice.init(rawValue:)),
                flavors: try row["ZFLAVORS"]?.data.map { try JSONDecoder().decode([String].self, from: $0) },
                garnishes: Set(garnish[key, default: []]), spec: Set(spec[key, default: []]))
        }
        for (key, row) in contents.rows("ZGARNISH") { garnishes[key] = row["ZNAME"]?.text }
        for (key, row) in contents.rows("ZINGREDIENT") { amounts[key] = row["ZVALUE"]?.number }
    }

    func expectEqual(_ found: ExpectedBar, _ comment: String) {
        for key in Set(drinks.keys).union(found.drinks.keys) where drinks[key] != found.drinks[key] {
            Issue.record("\(comment), cocktail \(key): \(found.drinks[key] as Any), expected \(drinks[key] as Any)")
        }
        #expect(garnishes == found.garnishes, "\(comment)")
        #expect(amounts == found.amounts, "\(comment)")
    }
}

/// Edits models at random, and the expectation alike. New models have no key before the save, so their part of the expectation is
/// completed then.
private struct RandomEditor {
    var generator: SeededGenerator
    var expected: ExpectedBar
    let context: ModelContext
    private var newDrinks: [(Cocktail, ExpectedBar.Drink)] = []
    private var newGarnishes: [(Garnish, in: Cocktail)] = []
    private var newParts: [(Ingredient, in: Cocktail)] = []
    private var count = 0

    init(_ context: ModelContext, _ expected: ExpectedBar, _ generator: SeededGenerator) {
        self.context = context
        self.expected = expected
        self.generator = generator
    }

    private mutating func name(_ kind: String) -> String {
        count += 1
        return "\(kind) \(generator.next()) \(count)"
    }

    private mutating func any<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
        try context.fetch(FetchDescriptor<Model>()).filter { !$0.persistentModelID.objectID.isTemporary }
            .randomElement(using: &generator)
    }

    mutating func step() throws {
        guard let drink = try any(Cocktail.self) else { return try insertDrink() }
        switch UInt8.random(in: 0..<13, using: &generator) {
        case 0: try rename(drink)
        case 1: editMembers(drink)
        case 2: editCollection(drink)
        case 3, 4: try toggleGarnish(drink)
        case 5: addGarnish(drink)
        case 6: try addPart(drink)
        case 7: dropPart(drink)
        case 8: try movePart(to: drink)
        case 9: try changeAmount()
        case 10: try insertDrink()
        case 11: try deleteDrink(drink)
        default: try deleteGarnish()
        }
    }

    private mutating func rename(_ drink: Cocktail) throws {
        drink.cocktailName = name("Renamed")
        expected.drinks[drink.key]?.name = drink.cocktailName
    }

    private mutating func editMembers(_ drink: Cocktail) {
        drink.ice = Bool.random(using: &generator) ? nil : Ice.allCases.randomElement(using: &generator)
        expected.drinks[drink.key]?.ice = drink.ice
        let place = Bool.random(using: &generator) ? nil : name("Place")
        if drink.author == nil { drink.author = Author() }
        drink.author?.place = place
        expected.drinks[drink.key]?.place = place
    }

    private mutating func editCollection(_ drink: Cocktail) {
        var flavors = drink.compiledTags.flavors ?? []
        if Bool.random(using: &generator) { flavors.append(name("Flavor \"ü\"")) } else { flavors.removeAll() }
        drink.compiledTags.flavors = flavors
        expected.drinks[drink.key]?.flavors = flavors
    }

    private mutating func toggleGarnish(_ drink: Cocktail) throws {
        guard let garnish = try any(Garnish.self) else { return }
        let fromHere = Bool.random(using: &generator)
        if drink.garnish.contains(garnish) {
            if fromHere {
                drink.garnish.removeAll { $0 === garnish }
            } else {
                garnish.cocktails?.removeAll { $0 === drink }
            }
            expected.drinks[drink.key]?.garnishes.remove(garnish.key)
        } else {
            if fromHere {
                drink.garnish.append(garnish)
            } else {
                garnish.cocktails = (garnish.cocktails ?? []) + [drink]
            }
            expected.drinks[drink.key]?.garnishes.insert(garnish.key)
        }
    }

    private mutating func addGarnish(_ drink: Cocktail) {
        let garnish = Garnish(name("Garnish"))
        drink.garnish.append(garnish)
        newGarnishes.append((garnish, drink))
    }

    private mutating func addPart(_ drink: Cocktail) throws {
        guard let base = try any(IngredientBase.self) else { return }
        let part = Ingredient(base, Double(Int.random(in: 1...40, using: &generator)) / 8, .dash)
        drink.spec.append(part)
        newParts.append((part, drink))
    }

    private mutating func dropPart(_ drink: Cocktail) {
        let stored = drink.spec.filter { !$0.persistentModelID.objectID.isTemporary }
        guard let part = stored.randomElement(using: &generator) else { return }
        drink.spec.removeAll { $0 === part }
        expected.drinks[drink.key]?.spec.remove(part.key)
        if Bool.random(using: &generator) {
            context.delete(part)
            expected.amounts[part.key] = nil
        }
    }

    private mutating func movePart(to drink: Cocktail) throws {
        guard let other = try any(Cocktail.self), other !== drink,
            let part = other.spec.first(where: { !$0.persistentModelID.objectID.isTemporary })
        else { return }
        other.spec.removeAll { $0 === part }
        drink.spec.append(part)
        expected.drinks[other.key]?.spec.remove(part.key)
        expected.drinks[drink.key]?.spec.insert(part.key)
    }

    private mutating func changeAmount() throws {
        guard let part = try any(Ingredient.self) else { return }
        part.value = Double(Int.random(in: 1...400, using: &generator)) / 16
        expected.amounts[part.key] = part.value
    }

    private mutating func insertDrink() throws {
        let garnish = try any(Garnish.self)
        let drink = Cocktail(name("New"), garnish: garnish.map { [$0] } ?? [], author: Author(place: "p"))
        context.insert(drink)
        let expectation = ExpectedBar.Drink(
            name: drink.cocktailName, place: "p", garnishes: Set(garnish.map { [$0.key] } ?? []))
        newDrinks.append((drink, expectation))
    }

    private mutating func deleteDrink(_ drink: Cocktail) throws {
        for part in drink.spec where !part.persistentModelID.objectID.isTemporary { expected.amounts[part.key] = nil }
        expected.drinks[drink.key] = nil
        newParts.removeAll { $0.in === drink }
        context.delete(drink)
    }

    private mutating func deleteGarnish() throws {
        guard let garnish = try any(Garnish.self) else { return }
        expected.garnishes[garnish.key] = nil
        for key in expected.drinks.keys { expected.drinks[key]?.garnishes.remove(garnish.key) }
        for index in newDrinks.indices { newDrinks[index].1.garnishes.remove(garnish.key) }
        context.delete(garnish)
    }

    /// Saves, and completes the expectation with the new keys.
    mutating func save() throws {
        try context.save()
        for (drink, expectation) in newDrinks { expected.drinks[drink.key] = expectation }
        for (garnish, drink) in newGarnishes {
            expected.garnishes[garnish.key] = garnish.name
            expected.drinks[drink.key]?.garnishes.insert(garnish.key)
        }
        for (part, drink) in newParts {
            expected.amounts[part.key] = part.value
            expected.drinks[drink.key]?.spec.insert(part.key)
        }
        (newDrinks, newGarnishes, newParts) = ([], [], [])
    }
}

@Suite("Random edits through models")
struct RandomEditsTests {
    @Test(
        "After any edits plain SQL finds the expected contents", arguments: StoreUnderTest.of(CocktailFamily.self),
        Seeds.rounds(2))
    func anyEdits(store: StoreUnderTest, seed: UInt64) throws {
        try store.withFile { url in
            var generator = SeededGenerator(seed: seed)
            for round in 0..<3 {
                // The container is opened anew in each round.
                try store.withContext(url) { context in
                    var editor = RandomEditor(context, try ExpectedBar(context), generator)
                    for _ in 0..<4 {
                        for _ in 0..<Int.random(in: 1...8, using: &editor.generator) { try editor.step() }
                        try editor.save()
                    }
                    editor.expected.expectEqual(try ExpectedBar(try StoreContents(url)), "seed \(seed), round \(round)")
                    generator = editor.generator
                }
            }
            try store.expectAgreement(url)
            try expectSoundFile(url)
        }
    }
}
