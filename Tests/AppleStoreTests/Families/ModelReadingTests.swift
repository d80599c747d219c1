import Foundation
import TestSupport
import Testing

@testable import SQLiteStore
@testable import SwiftData

@Suite("Files read through models")
struct ModelReadingTests {
    @Test("Apple's files are included", .realFiles)
    func appleFiles() throws {
        #expect(StoreUnderTest.all.count > StoreUnderTest.own.count)
    }

    @Test("Every row, property and relationship equals the result of plain SQL", arguments: StoreUnderTest.all)
    func everything(store: StoreUnderTest) throws {
        try store.withFile { url in
            try store.withContext(url) { context in
                try store.family.expectAgreement(context, try StoreContents(url))
                #expect(!context.hasChanges)
            }
        }
    }

    @Test("A pending write-ahead log is part of the file", arguments: StoreUnderTest.all)
    func pendingLog(store: StoreUnderTest) throws {
        try store.withPendingLog { url in
            try store.expectAgreement(url)
        }
    }

    @Test(
        "The comparison detects one changed cell and one missing link",
        arguments: StoreUnderTest.of(CocktailFamily.self))
    func noticing(store: StoreUnderTest) throws {
        try store.withFile { url in
            for change in [
                "UPDATE ZCOCKTAIL SET ZPLACE = 'elsewhere' WHERE Z_PK = 1",
                "DELETE FROM Z_1GARNISH WHERE rowid = (SELECT max(rowid) FROM Z_1GARNISH)",
                "UPDATE ZINGREDIENT SET Z1SPEC = NULL WHERE Z_PK = 1",
            ] {
                let before = try StoreContents(url)
                try Connection(.file(url), access: .readWrite).execute(change)
                withKnownIssue {
                    try store.withContext(url) { try store.family.expectAgreement($0, before) }
                }
            }
        }
    }

    @Test("The contents of the resource files' logs are read", .realFiles)
    func resourceLogs() throws {
        for (path, counts) in [("resources/A/default.store", [1, 2, 4]), ("resources/B/default.store", [5, 4, 7])] {
            let store = StoreUnderTest(origin: .apple(RealFile(path)), family: ResourceFamily.self)
            try store.withFile { url in
                try store.withContext(url, allowsSave: false) { context in
                    let found = [
                        try context.fetchCount(FetchDescriptor<Component>()),
                        try context.fetchCount(FetchDescriptor<CraftingRecipe>()),
                        try context.fetch(FetchDescriptor<Item>()).count,
                    ]
                    #expect(found == counts)
                }
            }
        }
    }

    @Test(
        "Predicates, order and windows give the results of plain SQL", arguments: StoreUnderTest.of(CocktailFamily.self)
    )
    func queries(store: StoreUnderTest) throws {
        try store.withFile { url in
            let rows = try StoreContents(url).rows("ZCOCKTAIL")
            func name(_ row: StoreContents.Row) -> String.UTF8View { (row["ZCOCKTAILNAME"]?.text ?? "").utf8 }
            let byName = rows.sorted { name($0.value).lexicographicallyPrecedes(name($1.value)) }
            try store.withContext(url) { context in
                let some = FetchDescriptor<Cocktail>(
                    predicate: #Predicate { $0.garnish.count > 1 || $0.cocktailName.starts(with: "M") },
                    sortBy: [SortDescriptor(\.cocktailName, comparator: .lexical)])
                let links = try StoreContents(url).rows("Z_1GARNISH").values.compactMap { $0["Z_1COCKTAILS"]?.integer }
                let expected = byName.filter { row in
                    links.filter { $0 == row.key }.count > 1 || row.value["ZCOCKTAILNAME"]?.text?.hasPrefix("M") == true
                }
                #expect(try context.fetch(some).map(\.key) == expected.map(\.key))
                var window = FetchDescriptor<Cocktail>(sortBy: [SortDescriptor(\.cocktailName, comparator: .lexical)])
                window.fetchOffset = 2
                window.fetchLimit = 3
                #expect(try context.fetch(window).map(\.key) == byName.dropFirst(2).prefix(3).map(\.key))
            }
        }
    }
}
