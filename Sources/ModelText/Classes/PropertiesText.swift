/// The text of one `…+CoreDataProperties.swift` file.
struct PropertiesText {
    let generator: ClassGenerator
    let entity: DocumentEntity
    let className: String

    private var attributes: [DocumentAttribute] {
        entity.attributes.filter { SwiftName.isIdentifier($0.name) }.sorted { $0.name < $1.name }
    }

    private var relationships: [DocumentRelationship] {
        entity.relationships.filter { SwiftName.isIdentifier($0.name) }.sorted { $0.name < $1.name }
    }

    private var fetchedProperties: [DocumentFetchedProperty] {
        entity.fetchedProperties.filter { SwiftName.isIdentifier($0.name) }.sorted { $0.name < $1.name }
    }

    var text: String {
        let accessors = relationships.filter(\.isToMany).map(accessors)
        return """
            // Made from the model; changes made here are lost.

            import CoreData
            import Foundation

            nonisolated extension \(className) {
                \(fetchRequest)

                #if canImport(ObjectiveC)
            \(indented(managedProperties))
                #else
            \(indented(computedProperties))
                #endif
            }

            \(accessors.joined())\(isIdentifiableHere ? "nonisolated extension \(className): Identifiable {\n}\n" : "")
            """
    }

    private var fetchRequest: String {
        """
        @nonobjc public class func fetchRequest() -> NSFetchRequest<\(className)> {
                NSFetchRequest<\(className)>(entityName: "\(escaped(entity.name))")
            }
        """
    }

    /// Whether to add the conformance, which subclasses inherit: true only at the top of a hierarchy.
    private var isIdentifiableHere: Bool {
        generator.superclassName(of: entity) == ClassGenerator.generalClassName
    }

    // MARK: Properties

    private var properties: [(name: String, type: PropertyType, isReadOnly: Bool)] {
        attributes.map { ($0.name, PropertyType($0), $0.derivation != nil) }
            + relationships.map { ($0.name, type(of: $0), false) }
            + fetchedProperties.map { property in
                let destination = generator.className(ofEntityNamed: property.request?.entityName)
                return (property.name, .mandatory("[\(destination)]"), true)
            }
    }

    private func type(of relationship: DocumentRelationship) -> PropertyType {
        guard relationship.isToMany else {
            return .optional(generator.className(ofEntityNamed: relationship.destinationName))
        }
        let collection = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
        return relationship.isOptional ? .optional(collection) : .mandatory(collection, missing: "\(collection)()")
    }

    private var managedProperties: String {
        properties.map { "@NSManaged public var \(SwiftName.escaped($0.name)): \($0.type.text)" }
            .joined(separator: "\n")
    }

    private var computedProperties: String {
        properties.map { property in
            let key = "forKey: \"\(property.name)\""
            let getter =
                switch property.type {
                case .mandatory(_, let missing?): "managedValue(\(key), missing: \(missing))"
                case .optional, .mandatory: "managedValue(\(key))"
                }
            let declaration = "public var \(SwiftName.escaped(property.name)): \(property.type.text)"
            if property.isReadOnly { return "\(declaration) { \(getter) }" }
            // A date with a scalar type is a number of seconds since 2001-01-01 UTC.
            let isSeconds = property.type.text == "TimeInterval"
            let value = isSeconds ? "Date(timeIntervalSinceReferenceDate: newValue)" : "newValue"
            return """
                \(declaration) {
                    get { \(getter) }
                    set { setManagedValue(\(value), \(key)) }
                }
                """
        }.joined(separator: "\n")
    }

    // MARK: Accessors of to-many relationships

    private func accessors(of relationship: DocumentRelationship) -> String {
        let text = AccessorsText(
            name: relationship.name, destination: generator.className(ofEntityNamed: relationship.destinationName))
        let functions = relationship.isOrdered ? text.ordered : text.unordered
        return """
            // MARK: Generated accessors for \(relationship.name)
            nonisolated extension \(className) {
            \(indented(functions))
            }


            """
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }

    private func escaped(_ text: String) -> String {
        text.filter { !$0.isNewline }.replacingScalar("\\", with: "\\\\").replacingScalar("\"", with: "\\\"")
    }
}
