import Foundation
import StoreSQL
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// Composites, enums, uniqueness, many-to-many, and to-many without inverse.
enum CocktailFamily: StoreFamily {
    static var schema: Schema { Schema([Cocktail.self]) }
    static let someTable = "ZGARNISH"

    static func fill(_ context: ModelContext) throws {
        let syrup = Prep(
            prepIngredientName: "Syrup",
            prepRecipe: [Instruction(step: 1, method: "Stir."), Instruction(step: 2, method: "Jalapeño?")])
        let gin = IngredientBase(
            "Gin", umbrella: "Gin",
            tags: Tags(flavors: ["Juniper"], booze: [Drink(name: "Gin", ingredientType: .gins("Gin"))]))
        let sugar = IngredientBase("Simple syrup", umbrella: "Syrups", prep: syrup)
        let lemon = IngredientBase("Lemon", umbrella: "Juice")
        let bases = [gin, sugar, lemon]
        let garnishes = ["Cherry", "Lemon peel", "Olive"].map(Garnish.init)
        for (index, name) in ["Bee", "Algonquin", "Zombie", "Martini", "Water", "Sour"].enumerated() {
            let cocktail = Cocktail(
                name, glassware: Glassware.allCases[index], garnish: Array(garnishes[0..<(index % 4)]),
                spec: (0...index % 3).map { Ingredient(bases[$0], Double($0) + 0.5) },
                author: index % 2 == 0 ? Author(person: "A \(index)", place: nil, year: "2018") : nil,
                tags: Tags(
                    flavors: [], styles: [.shaken, .stirred], nA: [Drink(name: "n", ingredientType: .soda("s"))]),
                collection: index == 1 ? nil : .classics, collectionName: "Own")
            cocktail.historicSpec = index == 1 ? .algonquin : nil
            cocktail.variation = index == 2 ? .pinaColada : nil
            cocktail.titleCocktail = index == 3 ? true : nil
            cocktail.ice = index > 3 ? .largeCube : nil
            cocktail.buildOrder = index == 4 ? Build(instructions: [Instruction(step: 1, method: "Pour.")]) : nil
            context.insert(cocktail)
        }
    }

    static func expectAgreement(_ context: ModelContext, _ contents: StoreContents) throws {
        let cocktails = try cocktailRows.expect(context, contents)
        let garnishes = try ModelAgreement<Garnish>("ZGARNISH", entity: 2) { ["ZNAME": .cell(Cell($0.name))] }
            .expect(context, contents)
        let ingredients = try ingredientRows(contents).expect(context, contents)
        try baseRows.expect(context, contents)
        let garnishKeys = contents.keys("Z_2GARNISH", of: "Z_1GARNISH", by: "Z_1COCKTAILS")
        let cocktailKeys = contents.keys("Z_1COCKTAILS", of: "Z_1GARNISH", by: "Z_2GARNISH")
        let specKeys = contents.keys("Z_PK", of: "ZINGREDIENT", by: "Z1SPEC")
        for cocktail in cocktails {
            #expect(cocktail.garnish.map(\.key) == garnishKeys[cocktail.key, default: []])
            #expect(cocktail.spec.map(\.key) == specKeys[cocktail.key, default: []])
            for garnish in cocktail.garnish { #expect(garnish.cocktails?.contains(cocktail) == true) }
        }
        for garnish in garnishes {
            #expect(garnish.cocktails?.map(\.key) == cocktailKeys[garnish.key, default: []])
            for cocktail in garnish.cocktails ?? [] { #expect(cocktail.garnish.contains(garnish)) }
        }
        let links = garnishes.reduce(0) { $0 + ($1.cocktails?.count ?? 0) }
        #expect(links == contents.rows("Z_1GARNISH").count)
        let owned = ingredients.filter { contents.owner(of: $0) != nil }
        #expect(cocktails.reduce(0) { $0 + $1.spec.count } == owned.count)
    }

    private static var cocktailRows: ModelAgreement<Cocktail> {
        ModelAgreement("ZCOCKTAIL", entity: 1) { try cells(of: $0) }
    }

    private static func cells(of cocktail: Cocktail) throws -> [String: ExpectedCell] {
        var cells: [String: ExpectedCell] = [
            "ZCOLLECTION": .cell(Cell(cocktail.collection.map { Int64($0.rawValue) })),
            "ZFAVORITE": .cell(Cell(cocktail.favorite)), "ZISCUSTOMCOCKTAIL": .cell(Cell(cocktail.isCustomCocktail)),
            "ZTITLECOCKTAIL": .cell(Cell(cocktail.titleCocktail)), "ZPERSON": .cell(Cell(cocktail.author?.person)),
            "ZPLACE": .cell(Cell(cocktail.author?.place)), "ZYEAR": .cell(Cell(cocktail.author?.year)),
            "ZCOCKTAILNAME": .cell(Cell(cocktail.cocktailName)),
            "ZCOLLECTIONNAME": .cell(Cell(cocktail.collectionName)),
            "ZGLASSWARETYPE": .cell(Cell(cocktail.glasswareType.rawValue)),
            "ZICE": .cell(Cell(cocktail.ice?.rawValue)), "ZNOTES": .cell(Cell(cocktail.notes)),
            "ZVARIATION": .cell(Cell(cocktail.variation?.rawValue)),
            "ZVARIATIONNAME": .cell(Cell(cocktail.variationName)), "ZID": .cell(Cell(cocktail.author?.id)),
            "ZID1": .cell(Cell(cocktail.id)), "ZINSTRUCTIONS": try .json(of: cocktail.buildOrder?.instructions),
        ]
        for spec in HistoricSpec.allCases {
            cells["Z\(spec)".uppercased()] = .cell(spec == cocktail.historicSpec ? .text("\(spec)") : .null)
        }
        return cells.merging(try tagCells(cocktail.compiledTags)) { first, _ in first }
    }

    private static func tagCells(_ tags: Tags?) throws -> [String: ExpectedCell] {
        [
            "ZFLAVORS": try .json(of: tags?.flavors), "ZPROFILES": try .json(of: tags?.profiles),
            "ZSTYLES": try .json(of: tags?.styles), "ZBOOZE": try .json(of: tags?.booze),
            "ZNA": try .json(of: tags?.nA),
        ]
    }

    /// The owner of an ingredient is known to the file only.
    private static func ingredientRows(_ contents: StoreContents) -> ModelAgreement<Ingredient> {
        ModelAgreement("ZINGREDIENT", entity: 3) { ingredient in
            [
                "ZID": .cell(Cell(ingredient.id)), "ZVALUE": .number(ingredient.value),
                "ZUNIT": .cell(Cell(ingredient.unit.rawValue)),
                "ZINGREDIENTBASE": .cell(Cell(ingredient.ingredientBase.key)),
                "Z1SPEC": .cell(Cell(contents.owner(of: ingredient))),
            ]
        }
    }

    private static var baseRows: ModelAgreement<IngredientBase> {
        ModelAgreement("ZINGREDIENTBASE", entity: 4) { try cells(of: $0) }
    }

    private static func cells(of base: IngredientBase) throws -> [String: ExpectedCell] {
        let cells: [String: ExpectedCell] = [
            "ZISCUSTOM": .cell(Cell(base.isCustom)), "ZBASECATEGORY": .cell(Cell(base.baseCategory)),
            "ZINFO": .cell(Cell(base.info)), "ZNAME": .cell(Cell(base.name)),
            "ZPREPINGREDIENTNAME": .cell(Cell(base.prep?.prepIngredientName)),
            "ZSPECIALTYCATEGORY": .cell(Cell(base.specialtyCategory)),
            "ZUMBRELLACATEGORY": .cell(Cell(base.umbrellaCategory)), "ZID": .cell(Cell(base.id)),
            "ZID1": .cell(Cell(base.prep?.id)), "ZPREPRECIPE": try .json(of: base.prep?.prepRecipe),
        ]
        return cells.merging(try tagCells(base.tags)) { first, _ in first }
    }
}

extension StoreContents {
    fileprivate func owner(of ingredient: Ingredient) -> Int64? {
        cell("ZINGREDIENT", ingredient.key, "Z1SPEC")?.integer
    }
}
