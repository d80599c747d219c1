import Foundation
import ObjectGraph
import StoreTestSupport
import TestSupport
import Testing

@testable import AppleFormats
@testable import SQLiteStore

@Suite("Models archived as Apple's files have them", .realFiles)
struct ModelArchiverTests {
    @Test("A file's model survives being archived and read again", arguments: RealFile.all)
    func roundTrip(store: RealFile) throws {
        let model = try store.model()
        let again = try ArchivedModel.model(deflated: try #require(try ArchivedModel.deflated(model)))
        for (found, expected) in zip(again.descriptions, model.descriptions) { #expect(found == expected) }
        #expect(again.descriptions.count == model.descriptions.count)
        #expect(again.versionIdentifiers == model.versionIdentifiers)
        #expect(again.versionHashes == model.versionHashes)
        #expect(try store.withCopy { try StoreMetadata($0) }.versionHashes == again.versionHashes)
    }

    /// Files whose archive has lists of uniqueness constraints, as this library's have. Archives by older frameworks lack them,
    /// contain older classes, and have proxies for inherited properties.
    private static let withConstraintLists = RealFile.all.filter { store in
        (try? theirFacts(store))?.values["NSEntityDescription NSUniqueTuples"] != nil
    }

    @Test("The archive's header and classes are those of Apple's", arguments: withConstraintLists)
    func frame(store: RealFile) throws {
        let (ours, theirs) = try facts(store)
        #expect(ours.heading == theirs.heading)
        #expect(ours.firstObject == theirs.firstObject)
        for (name, ancestors) in ours.classes { #expect(ancestors == theirs.classes[name], "\(name)") }
    }

    @Test("An archive differs from Apple's in known ways only", arguments: withConstraintLists)
    func differences(store: RealFile) throws {
        let (ours, theirs) = try facts(store)
        var found: Set<String> = []
        for place in Set(ours.values.keys).union(theirs.values.keys) {
            let (own, others) = (ours.values[place] ?? [], theirs.values[place] ?? [])
            if own != others { found.insert(place) }
        }
        let expected = Self.differences[store.path] ?? []
        #expect(found == expected, "\(describe(found.symmetricDifference(expected), ours, theirs))")
    }

    @Test(
        "An archive has no key that Apple's lack, and lacks only keys that a model does not keep",
        arguments: withConstraintLists)
    func keys(store: RealFile) throws {
        let (ours, theirs) = try facts(store)
        #expect(Set(ours.values.keys).subtracting(theirs.values.keys).isSubset(of: Self.alwaysWritten))
        #expect(Set(theirs.values.keys).subtracting(ours.values.keys).isSubset(of: Self.neverWritten.union(Self.lists)))
    }

    /// This library always writes archives of SwiftData's kind, with one configuration.
    private static let alwaysWritten: Set<String> = ["NSManagedObjectModel NSConfigurations"]

    /// Written if there are any, or if SwiftData made the file.
    private static let lists: Set<String> = [
        "NSEntityDescription NSFetchIndexDescriptions", "NSEntityDescription NSCompoundIndexes",
    ]

    private static let spotlight: Set<String> = [
        "NSAttributeDescription NSIndexedBySpotlight", "NSRelationshipDescription NSIndexedBySpotlight",
    ]

    private static let validation: Set<String> = [
        "NSAttributeDescription NSValidationPredicates", "NSAttributeDescription NSValidationWarnings",
    ]

    /// Models here do not keep fetched properties, validation, or Spotlight's indexing.
    private static let neverWritten: Set<String> = fetchedProperties.union(validation).union(spotlight)

    private static let fetchedProperties: Set<String> = Set(
        [
            "_P", "NSEntity", "NSFetchRequest", "NSIsOptional", "NSIsReadOnly", "NSIsTransient", "NSPropertyName",
            "NSRenamingIdentifier", "NSUserInfo", "_NSFetchRequestEntityName",
        ].map { "NSFetchedPropertyDescription " + $0 })

    /// Known differences between a written archive and the file's own.
    ///
    /// - Classes, configurations and user info of Core Data's models, values of their classes: a model does not keep them.
    /// - Lists: SwiftData's files have empty constraint lists and no empty index lists; Core Data's vary.
    /// - `compiledTags`: a default without any value is no default of a model.
    private static let differences: [String: Set<String>] = [
        "cocktails/Cocktails.store": ["NSCompositeAttributeDescription NSDefaultValue"],
        "resources/A/default.store": [className], "resources/B/default.store": [className],
        "coredataplus/SampleModel_V1.sqlite": [className, configurations],
        "coredataplus/SampleModel_V2.sqlite": lists.union([configurations]),
        "coredataplus/SampleModel2_V1.sqlite": ofSecondModel, "coredataplus/SampleModel2_V2.sqlite": ofSecondModel,
        "notes/NoteStore-macOS-26.sqlite": validation.union(spotlight).union(lists).union([
            configurations, "NSEntityDescription NSUniqueTuples", "NSAttributeDescription _P",
            "NSRelationshipDescription _P", "NSAttributeDescription NSAttributeValueClassName",
        ]),
    ]

    private static let className = "NSEntityDescription NSClassNameForEntity"
    private static let configurations = "NSManagedObjectModel NSConfigurations"
    private static let ofSecondModel = fetchedProperties.union(validation).union([
        className, configurations, "NSEntityDescription NSProperties", "NSEntityDescription NSUniqueTuples",
        "NSAttributeDescription _P", "NSAttributeDescription NSAttributeValueClassName",
        "NSAttributeDescription NSDefaultValue",
    ])

    private func describe(_ places: Set<String>, _ ours: ArchiveFacts, _ theirs: ArchiveFacts) -> String {
        places.sorted().map { place in
            let (own, others) = (ours.values[place] ?? [], theirs.values[place] ?? [])
            let added = own.subtracting(others).sorted().prefix(3).map { "  + " + $0 }
            let removed = others.subtracting(own).sorted().prefix(3).map { "  - " + $0 }
            return ([place] + added + removed).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func facts(_ store: RealFile) throws -> (ours: ArchiveFacts, theirs: ArchiveFacts) {
        let archive = try #require(ModelArchiver.archive(try store.model()))
        let ours = try #require(ArchiveFacts(try PropertyList(binary: archive.binary)))
        return (ours, try Self.theirFacts(store))
    }

    private static func theirFacts(_ store: RealFile) throws -> ArchiveFacts {
        let content = try store.withCopy { try #require(try ModelCache.content($0)) }
        return try #require(ArchiveFacts(try PropertyList(binary: try Inflate.expand(content))))
    }
}
