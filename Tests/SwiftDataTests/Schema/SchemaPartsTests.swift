import SwiftData
import TestSupport
import Testing

@Suite("Schemas and their parts, made by programs")
struct SchemaPartsTests {
    @Test("Schemas can be empty, or made of entities, types, a list of types, a version")
    func initializers() throws {
        #expect(Schema().entities.isEmpty)
        #expect(Schema(Schema.Entity("A"), Schema.Entity("B")).entities.map(\.name) == ["A", "B"])
        #expect(Schema(Schema.Entity("A"), version: Schema.Version(2, 0, 0)).version == Schema.Version(2, 0, 0))
        let byTypes = Schema(Bookshop.Book.self, Bookshop.Motto.self)
        let byList = Schema([Bookshop.Book.self, Bookshop.Motto.self])
        #expect(byTypes == byList)
        #expect(byTypes.hashValue == byList.hashValue)
        #expect(Schema(Bookshop.Book.self, version: .init(1, 1, 0)).version > byTypes.version)
        #expect(Schema([Bookshop.Book.self], version: .init(1, 1, 0)) != byTypes)
        #expect(Schema(versionedSchema: BookshopV1.self).version == Schema.Version(1, 0, 0))
        #expect(Schema.schemaEncodingVersion == byTypes.encodingVersion)
        #expect(byTypes.entitiesByName["Book"] === byTypes.entity(for: Bookshop.Book.self))
        #expect(Schema.entityName(for: Bookshop.Book.self) == "Book")
        #expect(byTypes.debugDescription.contains("Book"))
    }

    @Test("A schema can be encoded and decoded, also through a file")
    func archives() throws {
        let schema = Schema(Bookshop.Author.self)
        let decoded = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
        #expect(decoded == schema)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("schema.json")
        try schema.save(to: url)
        #expect(try Schema.load(from: url) == schema)
    }

    @Test("Versions have parts, an order, a description and an archive form")
    func versions() throws {
        let version = Schema.Version(1, 2, 3)
        #expect((version.major, version.minor, version.patch) == (1, 2, 3))
        #expect(version < Schema.Version(1, 3, 0))
        #expect(version == Schema.Version(1, 2, 3))
        #expect(version.description == "1.2.3")
        #expect(Set([version, version]).count == 1)
        #expect(try JSONDecoder().decode(Schema.Version.self, from: JSONEncoder().encode(version)) == version)
    }

    @Test("Attributes can be made by annotation and by name")
    func attributes() throws {
        let annotation = Schema.Attribute(.unique, .externalStorage, originalName: "old", hashModifier: "x")
        #expect(annotation.options == [.unique, .externalStorage])
        #expect(annotation.isUnique && annotation.isAttribute && !annotation.isRelationship && !annotation.isTransient)
        let named = Schema.Attribute(
            name: "age", originalName: "years", options: [.ephemeral], valueType: Int?.self, defaultValue: 4,
            hashModifier: "x")
        #expect(named.isOptional && named.isTransient && !named.isTransformable)
        #expect(named.defaultValue as? Int == 4)
        #expect(Schema.Attribute(name: "age", valueType: Int.self).originalName == "age")
        named.name = "height"
        named.originalName = "size"
        named.options = [.transformable(by: "NSSecureUnarchiveFromData")]
        named.valueType = String.self
        named.defaultValue = nil
        named.isOptional = false
        named.hashModifier = nil
        #expect(named.isTransformable)
        #expect(named != annotation)
        #expect(Set([named, annotation]).count == 2)
        #expect(named.debugDescription.contains("height"))
        #expect(try JSONDecoder().decode(Schema.Attribute.self, from: JSONEncoder().encode(named)) == named)
    }

    @Test("Every attribute option differs from the others and can be encoded")
    func attributeOptions() throws {
        let options: [Schema.Attribute.Option] = [
            .unique, .transformable(by: Bookshop.PointTransformer.self), .transformable(by: "name"), .externalStorage,
            .allowsCloudEncryption, .preserveValueOnDeletion, .ephemeral, .spotlight,
        ]
        #expect(Set(options).count == options.count)
        #expect(Set(options.map(\.debugDescription)).count == options.count)
        let decoded = try JSONDecoder().decode([Schema.Attribute.Option].self, from: JSONEncoder().encode(options))
        #expect(decoded == options)
    }

    @Test("Composite attributes have parts and compare by them")
    func compositeAttributes() throws {
        func make() -> Schema.CompositeAttribute {
            Schema.CompositeAttribute(
                name: "address", originalName: nil, options: [], valueType: Address.self, defaultValue: nil,
                hashModifier: nil)
        }
        let composite = make()
        composite.properties = [Schema.Attribute(name: "street", valueType: String.self)]
        #expect(composite != make())
        let decoded = try JSONDecoder().decode(Schema.CompositeAttribute.self, from: JSONEncoder().encode(composite))
        #expect(decoded == composite)
        #expect(composite.debugDescription.contains("street"))
    }

    @Test("Relationships can be made by annotation, with every property settable")
    func relationships() throws {
        let plain = Schema.Relationship()
        #expect(plain.deleteRule == .nullify)
        #expect(plain.minimumModelCount == 0 && plain.maximumModelCount == 0)
        let full = Schema.Relationship(
            .unique, deleteRule: .cascade, minimumModelCount: 1, maximumModelCount: 5, originalName: "old",
            inverse: \Bookshop.Book.author, hashModifier: "x")
        #expect(full.options == [.unique])
        #expect(full.isUnique && full.isRelationship && !full.isAttribute && !full.isTransient)
        #expect(full.inverseKeyPath == \Bookshop.Book.author)
        full.name = "books"
        full.originalName = "texts"
        full.keypath = \Bookshop.Author.books
        full.options = []
        full.valueType = [Bookshop.Book].self
        full.destination = "Book"
        full.deleteRule = .deny
        full.inverseName = "author"
        full.inverseKeyPath = nil
        full.minimumModelCount = nil
        full.maximumModelCount = nil
        full.hashModifier = nil
        #expect(!full.isToOneRelationship && !full.isOptional)
        #expect(full != plain)
        #expect(Set([full, plain]).count == 2)
        #expect(full.debugDescription.contains("books"))
        #expect(try JSONDecoder().decode(Schema.Relationship.self, from: JSONEncoder().encode(full)) == full)
        let rules: [Schema.Relationship.DeleteRule] = [.noAction, .nullify, .cascade, .deny]
        #expect(rules.map(\.rawValue) == ["noAction", "nullify", "cascade", "deny"])
        let option = Schema.Relationship.Option.unique
        #expect(try JSONDecoder().decode(Schema.Relationship.Option.self, from: JSONEncoder().encode(option)) == option)
        #expect(!option.debugDescription.isEmpty && option.hashValue == Schema.Relationship.Option.unique.hashValue)
    }

    @Test("Index and uniqueness declarations are schema properties")
    func declarations() throws {
        typealias Index = Schema.Index<Bookshop.Book>
        let typed = Index(.binary([\.title]), .rtree([\.width]))
        let binary = Index([\.title], [\.width, \.height])
        #expect(typed != binary)
        #expect(binary.indices.count == 2)
        for index in typed.indices {
            switch index {
            case .binary(let keyPaths): #expect(keyPaths == [\Bookshop.Book.title])
            case .rtree(let keyPaths): #expect(keyPaths == [\Bookshop.Book.width])
            }
        }
        let unique = Schema.Unique<Bookshop.Book>([\.title], [\.width, \.height])
        #expect(unique.constraints == [[\.title], [\.width, \.height]])
        #expect(unique.isUnique && !binary.isUnique)
        #expect(!unique.debugDescription.isEmpty && !binary.debugDescription.isEmpty)
        #expect(Set([typed, binary]).count == 2 && Set([unique]).count == 1)
        let properties: [any SchemaProperty] = [typed, unique]
        for property in properties {
            #expect(!property.isAttribute && !property.isRelationship && !property.isTransient && !property.isOptional)
        }
        unique.name = "n"
        unique.originalName = "o"
        unique.valueType = Int.self
        typed.name = "n"
        typed.originalName = "o"
        typed.valueType = Int.self
        _ = (Index.CodingKeys.indices, Schema.Unique<Bookshop.Book>.CodingKeys.constraints)
        #expect(try JSONDecoder().decode(Index.self, from: JSONEncoder().encode(binary)) == binary)
    }

    @Test("Entities made by hand are linked, and subentities inherit their properties")
    func entities() throws {
        let sub = Schema.Entity("Sub", properties: Schema.Attribute(name: "extra", valueType: Int.self))
        let entity = Schema.Entity(
            "Base", subentities: sub, properties: Schema.Attribute(name: "title", valueType: String.self))
        #expect(entity.subentities == [sub])
        #expect(sub.superentity === entity && sub.superentityName == "Base")
        #expect(sub.inheritedProperties.map(\.name) == ["title"])
        #expect(sub.properties.map(\.name) == ["title", "extra"])
        #expect(sub.storedPropertiesByName.keys.sorted() == ["extra"])
        #expect(sub.inheritedPropertiesByName.keys.sorted() == ["title"])
        #expect(sub.attributesByName.keys.sorted() == ["extra", "title"])
        #expect(sub.relationshipsByName.isEmpty && sub.relationships.isEmpty && sub.attributes.count == 2)
        entity.name = "Base2"
        entity.uniquenessConstraints = [["title"]]
        entity.indices = [["title"]]
        entity.storedProperties = Array(entity.storedProperties)
        entity.inheritedProperties = []
        entity.attributes = Set(entity.attributes)
        entity.relationships = []
        entity.attributesByName = entity.attributesByName.filter { _ in true }
        entity.relationshipsByName = [:]
        #expect(entity.debugDescription.contains("Base2"))
        #expect(entity != Schema.Entity("Base2") && Set([entity, sub]).count == 2)
        #expect(try JSONDecoder().decode(Schema.Entity.self, from: JSONEncoder().encode(entity)).name == "Base2")
    }

    @Test("Versioned schemas and migration plans support both kinds of stage")
    func migrationPlan() {
        #expect(BookshopPlan.schemas.map { $0.versionIdentifier } == [.init(1, 0, 0), .init(2, 0, 0)])
        for stage in BookshopPlan.stages {
            switch stage {
            case .lightweight(let fromVersion, let toVersion):
                #expect(fromVersion == BookshopV1.self && toVersion == BookshopV2.self)
            case .custom(let fromVersion, let toVersion, let willMigrate, let didMigrate):
                #expect(fromVersion == BookshopV1.self && toVersion == BookshopV2.self)
                #expect(willMigrate != nil && didMigrate == nil)
            }
        }
    }
}

enum BookshopV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Item.self] }

    @Model final class Item {
        var name: String
        init(name: String) { self.name = name }
    }
}

enum BookshopV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Item.self] }

    @Model final class Item {
        @Attribute(originalName: "name") var title: String
        var count: Int = 0
        init(title: String) { self.title = title }
    }
}

enum BookshopPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [BookshopV1.self, BookshopV2.self] }
    static var stages: [MigrationStage] { [simple, byHand] }

    static let simple = MigrationStage.lightweight(fromVersion: BookshopV1.self, toVersion: BookshopV2.self)
    static let byHand = MigrationStage.custom(
        fromVersion: BookshopV1.self, toVersion: BookshopV2.self,
        willMigrate: { context in
            for item in try context.fetch(FetchDescriptor<BookshopV1.Item>()) { item.name += "!" }
            try context.save()
        }, didMigrate: nil)
}

// MARK: - Compiled, not run

private func handMadeMetadata() -> [Schema.PropertyMetadata] {
    [
        Schema.PropertyMetadata(name: "title", keypath: \Bookshop.Book.title),
        Schema.PropertyMetadata(
            name: "width", keypath: \Bookshop.Book.width, defaultValue: 0.0, metadata: Schema.Attribute(.ephemeral)),
    ]
}

private func schemaConformances() {
    func isSchema<T: Codable & Hashable & CustomDebugStringConvertible & Sendable>(_ type: T.Type) {}
    func isProperty<T: SchemaProperty & CustomDebugStringConvertible & Hashable & Codable>(_ type: T.Type) {}
    isSchema(Schema.self)
    isSchema(Schema.Entity.self)
    isSchema(Schema.Attribute.Option.self)
    isProperty(Schema.Attribute.self)
    isProperty(Schema.CompositeAttribute.self)
    isProperty(Schema.Relationship.self)
    isProperty(Schema.Index<Bookshop.Book>.self)
    isProperty(Schema.Unique<Bookshop.Book>.self)
}
