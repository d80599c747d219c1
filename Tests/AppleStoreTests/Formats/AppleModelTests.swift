import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Models in Apple's files", .realFiles)
struct AppleModelTests {
    @Test("Every entity's version hash equals the stored one", arguments: RealFile.all)
    func versionHashes(store: RealFile) throws {
        try store.withCopy { connection in
            let model = try #require(try ModelCache.model(connection))
            let metadata = try StoreMetadata(connection)
            #expect(!metadata.versionHashes.isEmpty)
            #expect(metadata.versionHashesVersion == VersionHash.currentVersion)
            #expect(Set(model.versionHashes.keys) == Set(metadata.versionHashes.keys))
            for (name, hash) in model.versionHashes {
                #expect(metadata.versionHashes[name] == hash, "\(name)")
            }
        }
    }

    @Test("Digest, checksum and identifiers equal the stored ones", arguments: RealFile.all)
    func digests(store: RealFile) throws {
        try store.withCopy { connection in
            let model = try #require(try ModelCache.model(connection))
            let metadata = try StoreMetadata(connection)
            // Frameworks before build 977 wrote no digest, those before 1340 no checksum.
            if try #require(metadata.frameworkVersion) >= 977 {
                #expect(metadata.digest == VersionHash.digest(of: model.versionHashes))
            } else {
                #expect(metadata.digest == nil)
            }
            if try #require(metadata.frameworkVersion) >= 1340 {
                #expect(metadata.checksum == VersionHash.checksum(of: model.versionHashes))
            } else {
                #expect(metadata.checksum == nil)
            }
            #expect(model.versionIdentifiers == metadata.versionIdentifiers)
        }
    }

    @Test("Entity numbers equal those of the key table", arguments: RealFile.all)
    func entityNumbers(store: RealFile) throws {
        try store.withCopy { connection in
            let model = try #require(try ModelCache.model(connection))
            let stored = try PrimaryKeyTable.rows(connection).filter { $0.number < 16000 }
            let expected = PrimaryKeyTable.initialRows(model)
            #expect(expected.map(\.number) == stored.map(\.number))
            #expect(expected.map(\.superNumber) == stored.map(\.superNumber))
            // The migration that renamed an entity left the old name in the key table.
            let renamed = ["LuxuryCar": "ExpensiveSportCar"]
            let names = expected.map(\.name)
            let former = names.map { store.path.hasSuffix("SampleModel_V2.sqlite") ? renamed[$0] ?? $0 : $0 }
            #expect(former == stored.map(\.name))
            #expect(try EntityNumbers(model, rows: stored) == EntityNumbers(model))
        }
    }

    @Test("A file is compatible with its own model", arguments: RealFile.all)
    func compatibility(store: RealFile) throws {
        try store.withCopy { connection in
            let model = try #require(try ModelCache.model(connection))
            try StoreCompatibility.check(model, try StoreMetadata(connection)) { nil }
        }
    }

    @Test("Written metadata are read unchanged, including unknown keys", arguments: RealFile.all)
    func metadataRoundTrip(store: RealFile) throws {
        try store.withCopy { connection in
            var metadata = try StoreMetadata(connection)
            metadata.propertyList["SomeAppKey"] = .array([.boolean(true), .integer(-1), .string("ü"), .date(1.5)])
            try metadata.write(connection)
            #expect(try StoreMetadata(connection) == metadata)
            let plist = try #require(
                try connection.withStatement("SELECT Z_PLIST FROM Z_METADATA") { statement in
                    try statement.step() ? statement.bytes(at: 0) : nil
                })
            let foundation = try PropertyListSerialization.propertyList(from: plist, format: nil)
            let dictionary = try #require(foundation as? [String: Any])
            #expect(Set(dictionary.keys) == Set(metadata.propertyList.keys))
            #expect(dictionary["NSStoreType"] as? String == "SQLite")
            #expect(dictionary["NSStoreModelVersionHashesDigest"] as? String == metadata.digest)
        }
    }

    @Test(
        "Adopting the file's own model changes only entries that old frameworks did not write",
        arguments: RealFile.all)
    func adoption(store: RealFile) throws {
        try store.withCopy { connection in
            let metadata = try StoreMetadata(connection)
            var adopted = metadata
            adopted.adopt(try #require(try ModelCache.model(connection)))
            if metadata.digest == nil { adopted.propertyList[StoreMetadata.Key.digest] = nil }
            if metadata.checksum == nil { adopted.propertyList[StoreMetadata.Key.checksum] = nil }
            #expect(adopted == metadata)
        }
    }

    @Test("Parts of a model that are not in its hashes are read too")
    func details() throws {
        let cocktails = try RealFile("cocktails/Cocktails.store").model()
        let cocktail = try #require(cocktails.entity(named: "Cocktail"))
        let glassware = try #require(cocktail.attribute(named: "glasswareType")?.attribute)
        #expect(glassware.isEnum)
        #expect(glassware.elements.map(\.name) == ["glasswareType"])
        #expect(cocktail.attribute(named: "id")?.attribute.defaultValue?.count == 1)
        #expect(
            cocktail.attribute(named: "compiledTags")?.attribute.leaves.map(\.name)
                == ["flavors", "profiles", "styles", "booze", "nA"])
        #expect(cocktail.relationship(named: "spec")?.relationship.deleteRule == .cascade)
        #expect(cocktail.relationship(named: "spec")?.inverseIndex == nil)
        #expect(
            cocktail.indexes.map(\.propertyNames)
                == [["cocktailName"], ["collectionName"], ["cocktailName", "collectionName"]])

        let books = try RealFile("coredataplus/SampleModel2_V1.sqlite").model()
        let novel = try #require(books.entity(named: "GraphicNovel"))
        #expect(novel.attribute(named: "pagesCount")?.attribute.derivation == "count:(pages)")
        #expect(novel.attribute(named: "isBlackAndWhite")?.attribute.defaultValue == [.integer(0)])
        #expect(novel.attribute(named: "cover")?.declaringIndex == books.entity(named: "Book")?.index)
        #expect(books.entity(named: "Writer")?.isAbstract == true)
        #expect(books.entity(named: "Author")?.attribute(named: "feedbacks") == nil)

        let cars = try RealFile("coredataplus/SampleModel_V2.sqlite").model()
        #expect(cars.entity(named: "LuxuryCar")?.renamingIdentifier == "ExpensiveSportCar")
        #expect(cars.entity(named: "Car")?.renamingIdentifier == nil)
        let person = try RealFile("coredataplus/SampleModel_V1.sqlite").model().entity(named: "Person")
        #expect(person?.attribute(named: "id")?.attribute.preservesValueOnDeletion == true)
        #expect(person?.attribute(named: "isDriving")?.attribute.isTransient == true)
    }

    @Test("A file of the next model version is refused with the differences")
    func difference() throws {
        let old = RealFile("coredataplus/SampleModel_V1.sqlite")
        let new = try RealFile("coredataplus/SampleModel_V2.sqlite").model()
        try old.withCopy { connection in
            let cached = try #require(try ModelCache.model(connection))
            let error = try #require(throws: IncompatibleStoreError.self) {
                try StoreCompatibility.check(new, try StoreMetadata(connection)) { cached }
            }
            #expect(error.missing == ["LuxuryCar"])
            #expect(error.extra == ["ExpensiveSportCar"])
            #expect(error.different.map(\.entity) == ["Car", "Person", "SportCar"])
            #expect(error.different.first?.removed == ["color"])
            #expect(error.different.dropFirst().first?.removed == ["id"])
            #expect(error.description.contains("Person (-id)"))
        }
    }
}
