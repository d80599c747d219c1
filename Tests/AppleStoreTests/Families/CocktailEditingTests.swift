import Foundation
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// Positions in a change's bit set, which follow from the order of property names.
private enum Bits {
    static let cocktails = 18
    static let author = 0, buildOrder = 1, cocktailName = 2, collection = 3, compiledTags = 5, favorite = 6
    static let glasswareType = 7, historicSpec = 8, ice = 9, notes = 12, spec = 16, garnish = 17
    static let bases = 9
    static let info = 2, baseName = 4, prep = 5
    static let ingredients = 4
    static let ingredientBase = 0, unit = 2, value = 3
    static let garnishes = 2
    static let garnishName = 0, garnishCocktails = 1
}

@Suite("Cocktail files edited through models")
struct CocktailEditingTests {
    /// A cocktail with an author, garnish and several ingredients.
    private func rich(_ context: ModelContext) throws -> Cocktail {
        try #require(
            try context.fetch(FetchDescriptor<Cocktail>()).first {
                $0.author != nil && !$0.garnish.isEmpty && $0.spec.count > 1
            })
    }

    @Test(
        "A plain attribute's edit changes one cell, version and history row",
        arguments: StoreUnderTest.of(CocktailFamily.self))
    func plainAttribute(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var key: Int64 = 0
            let (differences, before, _) = try file.edit { context in
                let cocktail = try rich(context)
                key = cocktail.key
                cocktail.favorite.toggle()
            }
            let tables = differences.keys.filter { !$0.contains("TRANSACTION") }
            #expect(Set(tables) == ["ZCOCKTAIL", "ACHANGE", "Z_PRIMARYKEY"])
            let changed = try #require(differences["ZCOCKTAIL"]?.updated)
            #expect(Set(changed.keys) == [key])
            #expect(Set(try #require(changed[key]).keys) == ["Z_OPT", "ZFAVORITE"])
            let former = try #require(before.cell("ZCOCKTAIL", key, "ZFAVORITE")?.integer)
            #expect(changed[key]?["ZFAVORITE"] == .integer(1 - former))
            try expectHistory([.update(1, key, [Bits.favorite], of: Bits.cocktails)], differences, before)
            #expect(differences.updatedKeys("Z_PRIMARYKEY").isSubset(of: [16001, 16002, 16003]))
        }
    }

    @Test(
        "Enums, members of structs, and collections in structs can be edited",
        arguments: StoreUnderTest.of(CocktailFamily.self))
    func composites(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var key: Int64 = 0
            let step = Instruction(step: 1, method: "Žluťoučký \"kůň\" / \u{1F378}")
            let (differences, before, after) = try file.edit { context in
                let cocktail = try rich(context)
                key = cocktail.key
                cocktail.author?.place = "Here"
                cocktail.author?.year = nil
                cocktail.glasswareType = cocktail.glasswareType == .tikiMug ? .flute : .tikiMug
                cocktail.ice = cocktail.ice == .pebbleIce ? .largeCube : .pebbleIce
                cocktail.collection = nil
                cocktail.historicSpec = .hotToddy
                cocktail.compiledTags.flavors?.append("Smoke \"and\" fire")
                cocktail.buildOrder = Build(instructions: [step])
                cocktail.notes = nil
            }
            let changed = try #require(differences["ZCOCKTAIL"]?.updated)
            #expect(Set(changed.keys) == [key])
            let row = try #require(after.rows("ZCOCKTAIL")[key])
            #expect(row["ZPLACE"] == .text("Here") && row["ZYEAR"] == .null)
            #expect(row["ZPERSON"] == before.cell("ZCOCKTAIL", key, "ZPERSON"))
            #expect(row["ZID"] == before.cell("ZCOCKTAIL", key, "ZID"))
            #expect(row["ZHOTTODDY"] == .text("hotToddy"))
            #expect(row["ZCOLLECTION"] == .null)
            let flavors = try JSONDecoder().decode([String].self, from: try #require(row["ZFLAVORS"]?.data))
            #expect(flavors.last == "Smoke \"and\" fire")
            let steps = try JSONDecoder().decode([Instruction].self, from: try #require(row["ZINSTRUCTIONS"]?.data))
            #expect(steps == [step])
            var bits = [
                Bits.author, Bits.glasswareType, Bits.ice, Bits.historicSpec, Bits.compiledTags, Bits.buildOrder,
            ]
            if before.cell("ZCOCKTAIL", key, "ZCOLLECTION") != .null { bits.append(Bits.collection) }
            if before.cell("ZCOCKTAIL", key, "ZNOTES") != .null { bits.append(Bits.notes) }
            try expectHistory([.update(1, key, bits, of: Bits.cocktails)], differences, before)
        }
    }

    @Test(
        "Unchanged JSON values of an edited row keep their bytes",
        arguments: StoreUnderTest.of(CocktailFamily.self))
    func unchangedJSON(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            let (differences, before, _) = try file.edit { context in
                for cocktail in try context.fetch(FetchDescriptor<Cocktail>()) {
                    cocktail.notes = cocktail.compiledTags.flavors?.first ?? "none"
                    cocktail.ice = cocktail.ice
                    cocktail.author = cocktail.author
                }
            }
            for (key, row) in differences["ZCOCKTAIL"]?.updated ?? [:] {
                #expect(Set(row.keys) == ["Z_OPT", "ZNOTES"], "row \(key)")
            }
            let history = try #require(differences["ACHANGE"]).history
            #expect(Set(history.compactMap(\.columns)) == ["000800"])
            #expect(history.count == differences.updatedKeys("ZCOCKTAIL").count)
            #expect(history.count == before.rows("ZCOCKTAIL").count)
        }
    }

    @Test("Structs can be set to nil and back", arguments: StoreUnderTest.of(CocktailFamily.self))
    func nilStructs(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var (with, without): (Int64, Int64) = (0, 0)
            let prep = Prep(prepIngredientName: "Brine", prepRecipe: [])
            let (differences, before, after) = try file.edit { context in
                let bases = try context.fetch(FetchDescriptor<IngredientBase>())
                let prepared = try #require(bases.first { $0.prep != nil })
                let plain = try #require(bases.first { $0.prep == nil })
                (with, without) = (prepared.key, plain.key)
                prepared.prep = nil
                plain.prep = prep
            }
            for column in ["ZID1", "ZPREPINGREDIENTNAME", "ZPREPRECIPE"] {
                #expect(after.cell("ZINGREDIENTBASE", with, column) == .null)
            }
            #expect(after.cell("ZINGREDIENTBASE", without, "ZID1") == .bytes(prep.id.rawBytes))
            #expect(after.cell("ZINGREDIENTBASE", without, "ZPREPRECIPE") == .bytes(Data("[]".utf8)))
            #expect(differences.updatedKeys("ZINGREDIENTBASE") == [with, without])
            try expectHistory(
                [.update(4, with, [Bits.prep], of: Bits.bases), .update(4, without, [Bits.prep], of: Bits.bases)],
                differences, before)
        }
    }

    @Test("Many-to-many links can be edited from either side", arguments: StoreUnderTest.of(CocktailFamily.self))
    func links(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var (cocktail, other, removed, added, new): (Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0)
            let (differences, before, after) = try file.edit { context in
                let first = try rich(context)
                let garnishes = try context.fetch(FetchDescriptor<Garnish>())
                let gone = first.garnish.removeFirst()
                let taken = try #require(garnishes.first { !first.garnish.contains($0) && $0 !== gone })
                let bare = try #require(
                    try context.fetch(FetchDescriptor<Cocktail>()).first { $0.garnish.isEmpty && $0 !== first })
                first.garnish.append(taken)
                let zest = Garnish("Zest of this test")
                zest.cocktails = [bare]
                (cocktail, other, removed, added) = (first.key, bare.key, gone.key, taken.key)
                try context.save()
                new = zest.key
            }
            let links = try #require(differences["Z_1GARNISH"])
            #expect(links.updated.isEmpty)
            #expect(links.inserted.count == 2 && links.deleted.count == 1)
            #expect(
                links.inserted.values.contains(["Z_1COCKTAILS": .integer(cocktail), "Z_2GARNISH": .integer(added)]))
            #expect(links.inserted.values.contains(["Z_1COCKTAILS": .integer(other), "Z_2GARNISH": .integer(new)]))
            let gone = try #require(links.deleted.first.flatMap { before.rows("Z_1GARNISH")[$0] })
            #expect(gone == ["Z_1COCKTAILS": .integer(cocktail), "Z_2GARNISH": .integer(removed)])
            #expect(new == (before.cell("Z_PRIMARYKEY", 2, "Z_MAX")?.integer ?? 0) + 1)
            #expect(after.cell("Z_PRIMARYKEY", 2, "Z_MAX") == .integer(new))
            #expect(differences.updatedKeys("ZCOCKTAIL") == [cocktail, other])
            for key in [cocktail, other] { #expect(differences.updatedColumns("ZCOCKTAIL", key) == ["Z_OPT"]) }
            #expect(differences.updatedKeys("ZGARNISH") == [removed, added])
            for key in [removed, added] { #expect(differences.updatedColumns("ZGARNISH", key) == ["Z_OPT"]) }
            try expectHistory(
                [
                    .insert(2, new), .update(1, cocktail, [Bits.garnish], of: Bits.cocktails),
                    .update(1, other, [Bits.garnish], of: Bits.cocktails),
                    .update(2, removed, [Bits.garnishCocktails], of: Bits.garnishes),
                    .update(2, added, [Bits.garnishCocktails], of: Bits.garnishes),
                ], differences, before)
        }
    }

    @Test(
        "Members of a to-many relationship without inverse can be edited",
        arguments: StoreUnderTest.of(CocktailFamily.self))
    func inverseless(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var (from, to, moved, removed, new): (Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0)
            let (differences, _, after) = try file.edit { context in
                let cocktails = try context.fetch(FetchDescriptor<Cocktail>()).filter { $0.spec.count > 1 }
                let (first, second) = (try #require(cocktails.first), try #require(cocktails.last))
                let base = try #require(first.spec.first?.ingredientBase)
                let wanderer = first.spec.removeFirst()
                let orphan = second.spec.removeLast()
                let fresh = Ingredient(base, 0.125, .gentlyMuddled)
                second.spec += [wanderer, fresh]
                try context.save()
                (from, to, moved, removed, new) = (first.key, second.key, wanderer.key, orphan.key, fresh.key)
            }
            let rows = try #require(differences["ZINGREDIENT"])
            #expect(rows.updated[moved]?["Z1SPEC"] == .integer(to))
            #expect(rows.updated[removed]?["Z1SPEC"] == .null)
            #expect(Set(rows.updated.keys) == [moved, removed])
            for row in rows.updated.values { #expect(Set(row.keys).isSubset(of: ["Z1SPEC", "Z_OPT"])) }
            #expect(rows.inserted[new]?["Z1SPEC"] == .integer(to))
            #expect(rows.inserted[new]?["ZUNIT"] == .text("gently muddled"))
            #expect(rows.inserted[new]?["ZVALUE"] == .real(0.125))
            #expect(Set(rows.inserted.keys) == [new] && rows.deleted.isEmpty)
            #expect(differences.updatedKeys("ZCOCKTAIL") == [from, to])
            #expect(after.cell("Z_PRIMARYKEY", 3, "Z_MAX") == .integer(new))
            let history = try #require(differences["ACHANGE"]).history
            for key in [from, to] { #expect(history.contains(.update(1, key, [Bits.spec], of: Bits.cocktails))) }
            #expect(history.contains(.insert(3, new)))
        }
    }

    @Test(
        "A new model gets a key never used before, and every column", arguments: StoreUnderTest.of(CocktailFamily.self))
    func insertion(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var (cocktail, ingredient, base): (Int64, Int64, Int64) = (0, 0, 0)
            let (differences, before, after) = try file.edit { context in
                let water = IngredientBase("Water of this test", umbrella: "Sodas")
                let glass = Cocktail("Glass of this test", spec: [Ingredient(water, 3, .splashOf)])
                context.insert(glass)
                try context.save()
                (cocktail, ingredient, base) = (glass.key, try #require(glass.spec.first).key, water.key)
            }
            for (entity, key) in [(1, cocktail), (3, ingredient), (4, base)] {
                let counter = before.cell("Z_PRIMARYKEY", Int64(entity), "Z_MAX")?.integer ?? 0
                #expect(key == counter + 1)
                #expect(after.cell("Z_PRIMARYKEY", Int64(entity), "Z_MAX") == .integer(key))
            }
            let row = try #require(differences["ZCOCKTAIL"]?.inserted[cocktail])
            #expect(row["Z_ENT"] == .integer(1) && row["ZCOCKTAILNAME"] == .text("Glass of this test"))
            #expect(row["ZGLASSWARETYPE"] == .text("Coupe") && row["ZFAVORITE"] == .integer(0))
            #expect(row["ZPERSON"] == .null && row["ZNOTES"] == .null && row[ForeignMatter.column] == nil)
            #expect(differences["ZINGREDIENT"]?.inserted[ingredient]?["ZINGREDIENTBASE"] == .integer(base))
            try expectHistory([.insert(1, cocktail), .insert(3, ingredient), .insert(4, base)], differences, before)
        }
    }

    @Test(
        "A delete cascades as its rule says, and unlinks the others",
        arguments: StoreUnderTest.of(CocktailFamily.self))
    func deletion(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var cocktail: Int64 = 0
            var (spec, garnish): ([Int64], [Int64]) = ([], [])
            let (differences, before, after) = try file.edit { context in
                let doomed = try rich(context)
                (cocktail, spec, garnish) = (doomed.key, doomed.spec.map(\.key), doomed.garnish.map(\.key))
                context.delete(doomed)
            }
            #expect(differences["ZCOCKTAIL"]?.deleted == [cocktail])
            #expect(differences["ZCOCKTAIL"]?.updated.isEmpty == true)
            #expect(differences["ZINGREDIENT"] == TableDifference(deleted: Set(spec)))
            #expect(differences["ZINGREDIENTBASE"] == nil)
            #expect(after.keys("Z_2GARNISH", of: "Z_1GARNISH", by: "Z_1COCKTAILS")[cocktail, default: []].isEmpty)
            #expect(differences["Z_1GARNISH"]?.deleted.count == garnish.count)
            #expect(after.cell("Z_PRIMARYKEY", 1, "Z_MAX") == before.cell("Z_PRIMARYKEY", 1, "Z_MAX"))
            let expected =
                [HistoryEntry.delete(1, cocktail)] + spec.map { .delete(3, $0) }
                + garnish.map { .update(2, $0, [Bits.garnishCocktails], of: Bits.garnishes) }
            try expectHistory(Set(expected), differences, before)
            #expect(differences.updatedKeys("ZGARNISH") == Set(garnish))

            // A free key is not used again.
            let last = before.cell("Z_PRIMARYKEY", 1, "Z_MAX")?.integer ?? 0
            _ = try file.edit { context in
                let newest = FetchDescriptor<Cocktail>(predicate: #Predicate { $0.cocktailName != "" })
                for found in try context.fetch(newest) where found.key == last { context.delete(found) }
                try context.save()
                let next = Cocktail("Next of this test")
                context.insert(next)
                try context.save()
                #expect(next.key == last + 1)
            }
        }
    }

    @Test("A unique value that exists makes the insertion an update", arguments: StoreUnderTest.of(CocktailFamily.self))
    func uniqueness(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var (key, name, former): (Int64, String, UUID?) = (0, "", nil)
            let replacement = UUID()
            let (differences, before, after) = try file.edit { context in
                let base = try #require(try context.fetch(FetchDescriptor<IngredientBase>()).last)
                (key, name, former) = (base.key, base.name, base.id)
                let again = IngredientBase(name, umbrella: "Again")
                again.id = replacement
                context.insert(again)
                try context.save()
                #expect(again.key == base.key)
            }
            #expect(former != replacement)
            #expect(differences.updatedKeys("ZINGREDIENTBASE") == [key])
            #expect(differences["ZINGREDIENTBASE"]?.inserted.isEmpty == true)
            #expect(after.cell("ZINGREDIENTBASE", key, "ZNAME") == .text(name))
            #expect(after.cell("ZINGREDIENTBASE", key, "ZUMBRELLACATEGORY") == .text("Again"))
            #expect(after.cell("ZINGREDIENTBASE", key, "ZID") == .bytes(replacement.rawBytes))
            #expect(differences["ACHANGE"]?.history.map(\.kind) == [.update])
            #expect(
                before.keys("Z_PK", of: "ZINGREDIENT", by: "ZINGREDIENTBASE")[key, default: []]
                    == after.keys("Z_PK", of: "ZINGREDIENT", by: "ZINGREDIENTBASE")[key, default: []])
        }
    }

    @Test("Unique values can be swapped", arguments: StoreUnderTest.of(CocktailFamily.self))
    func exchange(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            var keys: [Int64] = []
            let (differences, before, after) = try file.edit { context in
                let two = Array(try context.fetch(FetchDescriptor<Cocktail>()).prefix(2))
                let name = two[0].cocktailName
                two[0].cocktailName = two[1].cocktailName
                two[1].cocktailName = name
                keys = two.map(\.key)
            }
            let column = "ZCOCKTAILNAME"
            #expect(after.cell("ZCOCKTAIL", keys[0], column) == before.cell("ZCOCKTAIL", keys[1], column))
            #expect(after.cell("ZCOCKTAIL", keys[1], column) == before.cell("ZCOCKTAIL", keys[0], column))
            try expectHistory(
                Set(keys.map { .update(1, $0, [Bits.cocktailName], of: Bits.cocktails) }), differences, before)
        }
    }

    @Test("A save that fails leaves the file unchanged", arguments: StoreUnderTest.of(CocktailFamily.self))
    func failure(store: StoreUnderTest) throws {
        try EditedFile.with(store) { file in
            let before = try StoreContents(file.url)
            try store.withContext(file.url) { context in
                let cocktails = try context.fetch(FetchDescriptor<Cocktail>())
                cocktails[0].favorite.toggle()
                cocktails[0].cocktailName = cocktails[1].cocktailName
                context.insert(Garnish("Never"))
                context.delete(cocktails[2])
                #expect(throws: (any Error).self) { try context.save() }
                #expect(context.hasChanges)
            }
            #expect(try StoreContents(file.url) == before)
            try expectSoundFile(file.url)
        }
    }
}
