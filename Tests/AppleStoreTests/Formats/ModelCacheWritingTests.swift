import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import AppleFormats
@testable import SQLiteStore

@Suite("The model in a new file")
struct ModelCacheWritingTests {
    // MARK: Every feature

    @Test("A model with every feature survives being archived and read again")
    func everyFeature() throws {
        let model = try Model(everything(), versionIdentifiers: ["1.0.0", "draft"])
        let again = try ArchivedModel.model(deflated: try #require(try ArchivedModel.deflated(model)))
        #expect(again.descriptions.map(\.name) == model.descriptions.map(\.name))
        for (found, expected) in zip(again.descriptions, model.descriptions) { #expect(found == expected) }
        #expect(again.versionIdentifiers == model.versionIdentifiers)
        #expect(again.versionHashes == model.versionHashes)
    }

    /// Entities and properties are in the order in which a file's model is read: by name.
    private func everything() -> [EntityDescription] {
        [animal(), dog(), owner()]
    }

    private func animal() -> EntityDescription {
        var entity = EntityDescription("Animal")
        entity.isAbstract = true
        entity.versionHashModifier = "2"
        entity.renamingIdentifier = "Beast"
        entity.attributes = (attributesOfAllTypes() + unusualAttributes()).sorted { $0.name.precedesByBytes($1.name) }
        var parents = Relationship("parents", to: "Animal", .toMany, inverse: "young", deleteRule: .noAction)
        parents.maximumCount = 2
        var young = Relationship("young", to: "Animal", .toMany, inverse: "parents", deleteRule: .deny)
        young.isOrdered = true
        entity.relationships = [Relationship("friends", to: "Animal", .toMany, inverse: "friends"), parents, young]
        entity.uniquenessConstraints = [["string"], ["double", "float"]]
        entity.indexes = [
            FetchIndex(name: "byName", propertyNames: ["string"]),
            FetchIndex(name: "byBoth", propertyNames: ["date", "string"]),
        ]
        return entity
    }

    private func attributesOfAllTypes() -> [Attribute] {
        let defaults: [(String, AttributeType, Value)] = [
            ("integer16", .integer16, .integer(-7)), ("integer32", .integer32, .integer(70_000)),
            ("integer64", .integer64, .integer(.min)), ("double", .double, .real(1.5)), ("float", .float, .real(-0.25)),
            ("boolean", .boolean, .integer(1)), ("date", .date, .real(12_345.678)), ("string", .string, .text("")),
            ("uri", .uri, .text("https://example.org/ü")), ("uuid", .uuid, .uuid(UUID())),
            ("binary", .binary, .bytes(Data([0, 255]))),
        ]
        return defaults.map { name, type, value in
            var attribute = Attribute(name, type)
            attribute.defaultValue = [value]
            return attribute
        }
    }

    private func unusualAttributes() -> [Attribute] {
        var cached = Attribute("cached", .transformable, optional: true)
        cached.isTransient = true
        cached.transformerName = "CacheTransformer"
        var photo = Attribute("photo", .binary, optional: true)
        photo.allowsExternalStorage = true
        photo.versionHashModifier = "large"
        var tag = Attribute("tag", .string)
        tag.preservesValueOnDeletion = true
        tag.renamingIdentifier = "label"
        var place = Attribute("place", .composite, optional: true)
        place.elements = [Attribute("y", .double, optional: true), Attribute("x", .double, optional: true)]
        place.defaultValue = [.real(1), .null]
        var kind = Attribute("kind", .composite)
        kind.isEnum = true
        kind.elements = [Attribute("kind", .integer64, optional: true)]
        var state = Attribute("state", .composite)
        state.isEnum = true
        state.elements = [Attribute("idle", .string, optional: true), Attribute("busy", .string, optional: true)]
        var upper = Attribute("upper", .string, optional: true)
        upper.derivation = "uppercase:(string)"
        var now = Attribute("changed", .date, optional: true)
        now.derivation = "now()"
        var depth = Attribute("depth", .integer64, optional: true)
        depth.derivation = "sum:(young.parents.integer64)"
        return [cached, photo, tag, place, kind, state, upper, now, depth]
    }

    private func dog() -> EntityDescription {
        var entity = EntityDescription("Dog", superentity: "Animal")
        entity.attributes = [Attribute("barks", .boolean)]
        var owner = Relationship("owner", to: "Owner", .toOne, inverse: "dogs", optional: false)
        owner.minimumCount = 1
        owner.renamingIdentifier = "master"
        entity.relationships = [owner]
        entity.uniquenessConstraints = [["barks", "string"]]
        return entity
    }

    private func owner() -> EntityDescription {
        var entity = EntityDescription("Owner")
        var dogs = Relationship("dogs", to: "Dog", .toMany, inverse: "owner", deleteRule: .cascade)
        dogs.versionHashModifier = "m"
        var last = Relationship("lastSeen", to: "Animal", .toOne)
        last.isTransient = true
        entity.relationships = [dogs, last]
        return entity
    }

    @Test("Inherited properties are objects of the subentity, and an inverse is the destination's own")
    func inheritance() throws {
        let archive = try #require(ModelArchiver.archive(try Model(everything())))
        let facts = try #require(ArchiveFacts(archive))
        let owners = try #require(facts.values["NSAttributeDescription NSEntity"])
        #expect(owners.contains("Dog.string = →entity Dog") && owners.contains("Animal.string = →entity Animal"))
        let inverses = try #require(facts.values["NSRelationshipDescription NSInverseRelationship"])
        #expect(inverses.contains("Dog.young = →NSRelationshipDescription Animal.parents"))
        #expect(inverses.contains("Owner.dogs = →NSRelationshipDescription Dog.owner"))
        #expect(inverses.contains("Owner.lastSeen = null"))
        #expect(
            facts.values["NSEntityDescription NSSubentities"]?
                .contains("Animal = NSMutableDictionary{ →\"Dog\": →entity Dog}") == true)
    }

    @Test("A decimal default has no archived form, and the version hash does not need one")
    func decimalDefault() throws {
        var entity = EntityDescription("Price")
        entity.attributes = [Attribute("amount", .decimal)]
        entity.attributes[0].defaultValue = [.decimal(1)]
        let model = try Model([entity])
        let again = try ArchivedModel.model(deflated: try #require(try ArchivedModel.deflated(model)))
        #expect(again.descriptions.first?.attributes.first?.defaultValue == nil)
        #expect(again.versionHashes == model.versionHashes)
    }

    // MARK: Files

    private func shop(_ attributes: [Attribute]) throws -> Model {
        var entity = EntityDescription("Article")
        entity.attributes = attributes
        return try Model([entity], versionIdentifiers: ["1.0.0"])
    }

    private func withFile(_ body: (URL) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try body(folder.appendingPathComponent("new.store"))
    }

    private func cell(_ url: URL) throws -> Data? {
        try ModelCache.content(try Connection(.file(url), access: .readOnly))
    }

    @Test("A new file contains its model")
    func newFile() throws {
        try withFile { url in
            let model = try Model(everything(), versionIdentifiers: ["1.0.0"])
            _ = try SQLiteStore(model: model, location: .file(url))
            let connection = try Connection(.file(url), access: .readOnly)
            let found = try #require(try ModelCache.model(connection))
            #expect(found.descriptions == model.descriptions)
            #expect(found.versionHashes == (try StoreMetadata(connection)).versionHashes)
            let count = try connection.withStatement("SELECT COUNT(*) FROM Z_MODELCACHE") { statement in
                try statement.step() ? statement.text(at: 0) : ""
            }
            #expect(count == "1")
        }
    }

    @Test("A new file refuses another model, naming the properties")
    func refused() throws {
        try withFile { url in
            let former = try shop([Attribute("count", .integer64), Attribute("name", .string), Attribute("old", .date)])
            _ = try SQLiteStore(model: former, location: .file(url))
            let before = try cell(url)
            let later = try shop([
                Attribute("count", .double), Attribute("name", .string), Attribute("weight", .double),
            ])
            let error = try #require(
                #expect(throws: IncompatibleStoreError.self) { try SQLiteStore(model: later, location: .file(url)) })
            let difference = try #require(error.different.first)
            #expect(difference.entity == "Article" && error.different.count == 1)
            #expect(difference.added == ["weight"] && difference.removed == ["old"] && difference.changed == ["count"])
            #expect(error.description.contains("Article (+weight -old ~count)"))
            #expect(try cell(url) == before)
        }
    }

    @Test("An existing file's cache is unchanged, empty or not", arguments: [nil, Data([1, 2, 3])])
    func existing(content: Data?) throws {
        try withFile { url in
            let model = try shop([Attribute("name", .string)])
            _ = try SQLiteStore(model: model, location: .file(url))
            let connection = try Connection(.file(url), access: .readWrite)
            try connection.execute("DELETE FROM Z_MODELCACHE")
            if let content {
                try connection.withStatement("INSERT INTO Z_MODELCACHE VALUES (?1)") { statement in
                    try statement.bind(content, at: 1)
                    try statement.run()
                }
            }
            _ = try SQLiteStore(model: model, location: .file(url))
            #expect(try cell(url) == content)
        }
    }

    @Test(
        "A derivation without an archived form leaves the cache empty; the file is made all the same",
        arguments: ["<NSTernaryExpression>", "count:(\"text\")", "count:(a", "count:(a)) ", "", "sum:(a,b)", "a..b"])
    func gap(derivation: String) throws {
        try withFile { url in
            var derived = Attribute("derived", .integer64, optional: true)
            derived.derivation = derivation
            let model = try shop([derived, Attribute("name", .string)])
            #expect(try ArchivedModel.deflated(model) == nil)
            _ = try SQLiteStore(model: model, location: .file(url))
            #expect(try cell(url) == nil)
        }
    }

    @Test("A derivation with a filter has no archived form")
    func filter() throws {
        var derived = Attribute("derived", .integer64, optional: true)
        derived.derivation = "count:(name)"
        derived.derivationFilter = "<NSComparisonPredicate>"
        #expect(ModelArchiver.archive(try shop([derived, Attribute("name", .string)])) == nil)
    }

    // MARK: Compression

    @Test("Compressed bytes can be decompressed", arguments: [0, 1, 2, 1000, 65_535, 65_536, 3_000_000])
    func compression(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let noise = Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        for data in [noise, Data(repeating: 7, count: count)] {
            #expect(try Inflate.expand(try Deflate.compress(data)) == data, "seed \(count)")
        }
        if count > 1000 { #expect(try Deflate.compress(Data(repeating: 7, count: count)).count < count / 50) }
    }
}
