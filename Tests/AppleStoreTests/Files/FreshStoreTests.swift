import AppleFormats
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore
@testable import SwiftData

@Suite("Files made from model classes")
struct FreshStoreTests {
    private func withFresh(
        _ family: any StoreFamily.Type, _ body: (StoreContents, StoreMetadata) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("default.store")
            _ = try ModelContainer(for: family.schema, configurations: ModelConfiguration(url: url))
            try expectSoundFile(url)
            let connection = try Connection(.file(url), access: .readOnly)
            try body(try StoreContents(connection), try StoreMetadata(connection))
        }
    }

    private static let historyNames = ["ACHANGE", "ATRANSACTION", "Z_TRANSACTION"]

    private func withoutHistory(_ schema: [[String]]) -> [[String]] {
        schema.filter { object in !Self.historyNames.contains { object[1].hasPrefix($0) } }
    }

    @Test(
        "Tables, columns and indexes equal those of Apple's file, in the same order",
        .realFiles,
        arguments: [
            ("cocktails/Cocktails.store", CocktailFamily.self as any StoreFamily.Type),
            ("resources/A/default.store", ResourceFamily.self), ("resources/B/default.store", ResourceFamily.self),
        ])
    func schema(path: String, family: any StoreFamily.Type) throws {
        try RealFile(path).withCopy { connection in
            let (theirs, metadata) = (try StoreContents(connection), try StoreMetadata(connection))
            try withFresh(family) { ours, ourMetadata in
                #expect(ours.schema == theirs.schema)
                #expect(ourMetadata.versionHashes == metadata.versionHashes)
                #expect(ourMetadata.digest == metadata.digest)
                #expect(ourMetadata.checksum == metadata.checksum)
                #expect(ourMetadata.versionIdentifiers == metadata.versionIdentifiers)
                #expect(Set(ourMetadata.propertyList.keys) == Set(metadata.propertyList.keys))
                let names = theirs.rows("Z_PRIMARYKEY").filter { $0.key < 16000 }.mapValues { $0["Z_NAME"] }
                #expect(ours.rows("Z_PRIMARYKEY").filter { $0.key < 16000 }.mapValues { $0["Z_NAME"] } == names)
                #expect(ours.rows("Z_PRIMARYKEY").values.allSatisfy { $0["Z_MAX"] == .integer(0) })
            }
        }
    }

    @Test(
        "The schema of a class hierarchy equals Apple's, too, except for the history that SwiftData always keeps",
        .realFiles)
    func hierarchy() throws {
        try RealFile("coredataplus/SampleModel_V1.sqlite").withCopy { connection in
            let (theirs, metadata) = (try StoreContents(connection), try StoreMetadata(connection))
            try withFresh(CarFamily1.self) { ours, ourMetadata in
                #expect(withoutHistory(ours.schema) == theirs.schema)
                let changes = try #require(ours.schema.first { $0[1] == "ACHANGE" })
                #expect(changes[2].contains("ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB"))
                #expect(ourMetadata.versionHashes == metadata.versionHashes)
                #expect(ourMetadata.digest == metadata.digest)
            }
        }
    }

    @Test(
        "A migrated file of Apple's has the same schema in another order",
        .realFiles)
    func migrated() throws {
        try RealFile("coredataplus/SampleModel_V2.sqlite").withCopy { connection in
            let (theirs, metadata) = (try StoreContents(connection), try StoreMetadata(connection))
            try withFresh(CarFamily2.self) { ours, ourMetadata in
                // SwiftData has its own names for indexes, so that this one is not declared.
                let declared = theirs.schema.filter { $0[1] != "Z_Car_byMakerAndNumberPlate" }
                #expect(Set(withoutHistory(ours.schema)) == Set(declared))
                #expect(ourMetadata.versionHashes == metadata.versionHashes)
                #expect(ourMetadata.digest == metadata.digest)
            }
        }
    }

    @Test("New rows have the storage classes of Apple's rows", arguments: StoreUnderTest.of(CocktailFamily.self))
    func cellKinds(store: StoreUnderTest) throws {
        // The storage class of every cell, by column: written cells have no class that the file lacks.
        try store.withFile { url in
            func kinds() throws -> [String: Set<String>] {
                var kinds: [String: Set<String>] = [:]
                for table in ["ZCOCKTAIL", "ZINGREDIENT", "ZINGREDIENTBASE", "ZGARNISH", "ACHANGE"] {
                    for row in try StoreContents(url).rows(table).values {
                        for (column, cell) in row { kinds["\(table).\(column)", default: []].insert(cell.storageClass) }
                    }
                }
                return kinds.mapValues { $0.subtracting(["NULL"]) }
            }
            let before = try kinds()
            try store.withContext(url) { context in
                let prep = Prep(prepIngredientName: "p", prepRecipe: [])
                let base = IngredientBase("B", tags: Tags(flavors: ["x"]), prep: prep)
                let cocktail = Cocktail(
                    "C", garnish: [Garnish("G")], spec: [Ingredient(base, 2)], author: Author(person: "P"),
                    tags: Tags(flavors: [], profiles: [], styles: [], booze: [], nA: []), collection: .originals)
                cocktail.buildOrder = Build(instructions: [])
                context.insert(cocktail)
                try context.save()
            }
            for (column, kinds) in try kinds() where before[column]?.isEmpty == false {
                #expect(kinds == before[column], "\(column)")
            }
        }
    }
}
