import Foundation
import TestSupport

@testable import CoreData

/// A folder like a target's resources: two versions of a model, and mapping models in Xcode's form from one to the other.
final class MappingFolder {
    private let folder: TemporaryFolder
    var url: URL { folder.url }
    var bundle: Bundle? { Bundle(url: url) }
    var store: URL { url.appendingPathComponent("farm.sqlite") }
    var model: URL { url.appendingPathComponent("Farm.xcdatamodeld") }

    init(withModels: Bool = true) throws {
        folder = try TemporaryFolder()
        if withModels {
            for (name, text) in [("Farm 1", Self.first), ("Farm 2", Self.second)] {
                try write(text, to: "Farm.xcdatamodeld/\(name).xcdatamodel/contents")
            }
        }
    }

    func write(_ text: String, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// - Returns: the mapping model's folder.
    @discardableResult
    func add(_ mapping: MappingText, named name: String = "Farm1to2") throws -> URL {
        try write(mapping.xml, to: "\(name).xcmappingmodel/xcmapping.xml")
        return url.appendingPathComponent("\(name).xcmappingmodel")
    }

    func version(_ name: String) throws -> NSManagedObjectModel {
        guard let found = try ModelFile(contentsOf: model).versions[name] else { throw CocoaError(.fileNoSuchFile) }
        return found
    }

    // MARK: Versions

    static let first = """
        <model>
            <entity name="Animal">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="age" attributeType="Integer 16" defaultValueString="0"/>
                <attribute name="kind" optional="YES" attributeType="String"/>
                <relationship name="keeper" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Keeper" inverseName="animals" inverseEntity="Keeper"/>
            </entity>
            <entity name="Cage"><attribute name="number" optional="YES" attributeType="Integer 64"/></entity>
            <entity name="Keeper">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="animals" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Animal" inverseName="keeper" inverseEntity="Animal"/>
            </entity>
            <entity name="Place"><attribute name="title" optional="YES" attributeType="String"/></entity>
        </model>
        """

    /// Ages are texts, names of keepers are renamed, wild animals have records, cages are removed, and barns are added.
    static let second = """
        <model>
            <entity name="Animal">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="years" optional="YES" attributeType="String"/>
                <attribute name="loud" optional="YES" attributeType="String"/>
                <relationship name="keeper" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Keeper" inverseName="wards" inverseEntity="Keeper"/>
                <relationship name="records" optional="YES" toMany="YES" deletionRule="Cascade" \
        destinationEntity="Record" inverseName="animal" inverseEntity="Record"/>
            </entity>
            <entity name="Barn"><attribute name="size" attributeType="Double" defaultValueString="3"/></entity>
            <entity name="Keeper">
                <attribute name="fullName" optional="YES" attributeType="String"/>
                <relationship name="wards" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Animal" inverseName="keeper" inverseEntity="Animal"/>
            </entity>
            <entity name="Place"><attribute name="title" optional="YES" attributeType="String"/></entity>
            <entity name="Record">
                <attribute name="text" optional="YES" attributeType="String"/>
                <relationship name="animal" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Animal" inverseName="records" inverseEntity="Animal"/>
            </entity>
        </model>
        """

    /// Wild Rex of 3 years, tame Bo of 1 with keeper Ida, a cage and a place.
    func fill() throws {
        try withContext(version("Farm 1"), store) { context in
            func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
                return object
            }
            let keeper = insert("Keeper", ["name": "Ida"])
            _ = insert("Animal", ["name": "Rex", "age": 3, "kind": "wild", "keeper": keeper])
            _ = insert("Animal", ["name": "Bo", "age": 1, "kind": "tame", "keeper": keeper])
            _ = insert("Cage", ["number": 7])
            _ = insert("Place", ["title": "Meadow"])
            try context.save()
        }
    }

    func withContext(
        _ model: NSManagedObjectModel, _ url: URL, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try body(context)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}

/// A mapping model in the terms of the tests.
struct MappingText {
    var source = "App/Farm.xcdatamodeld/Farm 1.xcdatamodel"
    var destination = "App/Farm.xcdatamodeld/Farm 2.xcdatamodel"
    var entities: [Entity]

    struct Entity {
        var source: String?
        var destination: String?
        var attributes: [Property] = []
        var relationships: [Property] = []
        /// More attributes of the element, by name.
        var others: [String: String] = [:]
    }

    struct Property {
        let name: String
        var expression: ArchivedPart?
        var others: [String: String] = [:]

        init(_ name: String, _ expression: ArchivedPart? = nil, _ others: [String: String] = [:]) {
            self.name = name
            self.expression = expression
            self.others = others
        }
    }

    var xml: String {
        var objects: [String] = []
        var identifiers: [String] = []
        for (number, entity) in entities.enumerated() {
            let identifier = "z\(number + 1)"
            identifiers.append(identifier)
            let attributes = entity.attributes.map { add($0, "ATTRIBUTE", identifier, &objects) }
            let relationships = entity.relationships.map { add($0, "RELATIONSHIP", identifier, &objects) }
            var values = entity.others
            values["sourcename"] = entity.source
            values["destinationname"] = entity.destination
            values["mappingnumber"] = String(number + 1)
            values["mappingtypename"] = values["mappingtypename"] ?? "Undefined"
            values["autogenerateexpression"] = values["sourceexpressiondata"] == nil ? "1" : "0"
            // In the file the last comes first: only the numbers give the order.
            objects.insert(
                object(
                    "XDDEVENTITYMAPPING", identifier, values,
                    ["attributemappings": attributes, "relationshipmappings": relationships]), at: 0)
        }
        objects.append(
            object(
                "XDDEVMAPPINGMODEL", "z100",
                ["sourcemodelpath": source, "destinationmodelpath": destination, "sourcemodeldata": "AAAA"],
                ["entitymappings": identifiers.reversed()]))
        return """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo><version>134481920</version><nextObjectID>101</nextObjectID></databaseInfo>
            \(objects.joined(separator: "\n"))
            </database>
            """
    }

    private func add(
        _ property: Property, _ kind: String, _ owner: String, _ objects: inout [String]
    ) -> String {
        let identifier = "z\(200 + objects.count)"
        var values = property.others
        values["name"] = property.name
        values["valueexpressiondata"] = property.expression.map {
            ArchiveWriter.archive($0).base64EncodedString(options: .lineLength64Characters)
        }
        if kind == "RELATIONSHIP" { values["autogenerateexpression"] = "1" }
        objects.append(object("XDDEV\(kind)MAPPING", identifier, values, ["entitymapping": [owner]]))
        return identifier
    }

    private func object(
        _ type: String, _ identifier: String, _ values: [String: String], _ references: [String: [String]]
    ) -> String {
        let attributes = values.sorted { $0.key < $1.key }.map { name, value in
            let text = value.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            return "<attribute name=\"\(name)\" type=\"string\">\(text)</attribute>"
        }
        let relationships = references.sorted { $0.key < $1.key }.map { name, ids in
            "<relationship name=\"\(name)\" type=\"0/0\" idrefs=\"\(ids.joined(separator: " "))\"></relationship>"
        }
        let content = (attributes + relationships).joined(separator: "\n        ")
        return "    <object type=\"\(type)\" id=\"\(identifier)\">\n        \(content)\n    </object>"
    }
}
