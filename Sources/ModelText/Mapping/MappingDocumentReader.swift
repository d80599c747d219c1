import Foundation

extension MappingDocument {
    /// - Throws: `MappingDocumentError`.
    package init(xml data: Data) throws(MappingDocumentError) {
        let root: MarkupElement
        do throws(MarkupError) {
            root = try MarkupElement(xml: MappingDocumentReader.withoutDeclaration(data), keepingText: true)
        } catch {
            throw .markup(error)
        }
        self = try MappingDocumentReader(root).document()
    }
}

/// Parses `xcmapping.xml`, which is a store of Xcode's own objects: `object` elements with a type and an identifier,
/// which contain `attribute` elements and `relationship` elements with lists of identifiers.
private struct MappingDocumentReader {
    private let objects: [ObjectElement]
    private let byIdentifier: [String: Int]

    private enum Kind {
        static let model = "XDDEVMAPPINGMODEL"
        static let entity = "XDDEVENTITYMAPPING"
    }

    /// The document type declaration that Xcode writes, which refers to a system file. It is removed before parsing.
    private static let declaration = Data(
        "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">".utf8)
    /// The number of leading bytes to search for the declaration.
    private static let headSize = 512

    private static let entityLimit = 4096
    private static let objectLimit = 100_000

    static func withoutDeclaration(_ data: Data) -> Data {
        guard let range = data.prefix(headSize).range(of: declaration) else { return data }
        var rest = data
        rest.removeSubrange(range)
        return rest
    }

    init(_ root: MarkupElement) throws(MappingDocumentError) {
        guard root.name == "database" else { throw .notAMapping }
        objects = root.children(named: "object").map(ObjectElement.init)
        byIdentifier = Dictionary(
            objects.enumerated().compactMap { index, object in object.identifier.map { ($0, index) } }
        ) { first, _ in first }
    }

    func document() throws(MappingDocumentError) -> MappingDocument {
        guard let model = objects.first(where: { $0.type == Kind.model }) else { throw .notAMapping }
        var document = MappingDocument()
        document.source = model.text("sourcemodelpath").flatMap(MappingDocument.ModelPath.init)
        document.destination = model.text("destinationmodelpath").flatMap(MappingDocument.ModelPath.init)
        let listed = referred(model, "entitymappings").filter { $0.type == Kind.entity }
        guard listed.count <= Self.entityLimit, objects.count <= Self.objectLimit else { throw .tooLarge }
        for object in inOrder(listed) { document.entities.append(try entity(object)) }
        return document
    }

    /// The referenced objects, without duplicates.
    private func referred(_ object: ObjectElement, _ name: String) -> [ObjectElement] {
        var seen: Set<Int> = []
        return object.references(name).compactMap { byIdentifier[String($0)] }.filter { seen.insert($0).inserted }
            .map { objects[$0] }
    }

    /// Sorted by number; mappings without a number come last, in their original order.
    private func inOrder(_ mappings: [ObjectElement]) -> [ObjectElement] {
        let numbered = mappings.enumerated().map { place, mapping in
            (number: mapping.text("mappingnumber").flatMap { Int($0) } ?? .max, place: place, mapping: mapping)
        }
        return numbered.sorted { ($0.number, $0.place) < ($1.number, $1.place) }.map(\.mapping)
    }

    private func entity(_ object: ObjectElement) throws(MappingDocumentError) -> MappingDocument.Entity {
        var entity = MappingDocument.Entity()
        entity.name = object.text("name")
        entity.type = object.text("mappingtypename").flatMap(MappingDocument.Kind.init)
        entity.sourceName = object.text("sourcename")
        entity.destinationName = object.text("destinationname")
        guard entity.sourceName != nil || entity.destinationName != nil else {
            throw .missingName(type: object.type, line: object.line)
        }
        entity.policyClassName = object.text("migrationpolicyclassname")
        entity.filter = object.text("sourcefilterpredicatestring")
        // If the source is derived, a stored expression is an earlier derivation result and is ignored.
        entity.sourceExpression = object.isDerived ? nil : object.data("sourceexpressiondata")
        entity.userInfo = object.data("userinfodata")
        entity.attributes = try properties(object, "attributemappings")
        entity.relationships = try properties(object, "relationshipmappings")
        return entity
    }

    private func properties(
        _ object: ObjectElement, _ name: String
    ) throws(MappingDocumentError) -> [MappingDocument.Property] {
        var properties: [MappingDocument.Property] = []
        for property in referred(object, name) {
            // An expression counts even if it is marked as derived: Xcode stores there the expression for a key path.
            guard let name = property.text("name") else { throw .missingName(type: property.type, line: property.line) }
            properties.append(
                MappingDocument.Property(
                    name: name, expression: property.data("valueexpressiondata"),
                    sourceKeyPath: property.text("sourcekeypath"), mappingName: property.text("sourcemappingname"),
                    isDerived: property.text("autogenerateexpression") != "0",
                    userInfo: property.data("userinfodata")))
        }
        return properties
    }
}

/// An `object` element. Names are compared without case, as Xcode has used different spellings.
private struct ObjectElement {
    let type: String
    let identifier: String?
    let line: Int
    private let attributes: [String: String]
    private let relationships: [String: String]

    init(_ element: MarkupElement) {
        type = element.attributes["type"]?.uppercased() ?? ""
        identifier = element.attributes["id"]
        line = element.line
        attributes = Self.byName(element.children(named: "attribute"), \.text)
        relationships = Self.byName(element.children(named: "relationship")) { $0.attributes["idrefs"] ?? "" }
    }

    private static func byName(
        _ elements: [MarkupElement], _ content: (MarkupElement) -> String
    ) -> [String: String] {
        let named = elements.compactMap { element in
            element.attributes["name"].map { ($0.lowercased(), content(element)) }
        }
        return Dictionary(named) { first, _ in first }
    }

    /// `nil` for a missing or empty text.
    func text(_ name: String) -> String? {
        guard let text = attributes[name]?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else {
            return nil
        }
        return text
    }

    func data(_ name: String) -> Data? {
        text(name).flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
    }

    func references(_ name: String) -> [Substring] { relationships[name]?.split(separator: " ") ?? [] }

    var isDerived: Bool { text("autogenerateexpression") == "1" }
}

extension MappingDocument.ModelPath {
    /// `nil` for a path without a model version.
    fileprivate init?(_ path: String) {
        let parts = path.split(separator: "/")
        guard let last = parts.last, let version = Self.name(last, DocumentPackage.versionExtension) else { return nil }
        self.version = version
        model = parts.dropLast().last.flatMap { Self.name($0, DocumentPackage.packageExtension) } ?? version
    }

    private static func name(_ part: Substring, _ ending: String) -> String? {
        part.hasSuffix("." + ending) ? String(part.dropLast(ending.count + 1)) : nil
    }
}
