import Foundation
import ObjectGraph

/// One entity as a `@Model` class.
struct SwiftClassSource {
    private let entity: Entity
    private let model: Model
    private let types: CompositeTypes

    init(_ entity: Entity, _ model: Model, _ types: CompositeTypes) {
        self.entity = entity
        self.model = model
        self.types = types
    }

    private var attributes: [EntityAttribute] { entity.attributes.filter { $0.declaringIndex == entity.index } }
    private var relationships: [EntityRelationship] {
        entity.relationships.filter { $0.declaringIndex == entity.index }
    }

    var text: String {
        var lines: [String] = []
        if entity.isAbstract {
            lines.append("// Abstract in the store's model: it has no objects of its own.")
        }
        if entity.superentityIndex != nil {
            lines.append("@available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)")
        }
        lines.append("@Model")
        let superclass = entity.superentityIndex.map { ": " + model[$0].name } ?? ""
        lines.append("\(entity.hasSubentities ? "" : "final ")class \(entity.name)\(superclass) {")
        lines += constraints.map { "    " + $0 }
        if !constraints.isEmpty, !attributes.isEmpty || !relationships.isEmpty { lines.append("") }
        lines += attributes.flatMap(declaration).map { "    " + $0 }
        if !relationships.isEmpty, !attributes.isEmpty { lines.append("") }
        lines += relationships.flatMap(declaration).map { "    " + $0 }
        lines.append("")
        lines += initializer.map { "    " + $0 }
        return (lines + ["}"]).joined(separator: "\n")
    }

    private var constraints: [String] {
        let unique = entity.uniquenessConstraints.filter { $0.count > 1 }.compactMap(Self.keyPaths)
        let indexes = entity.indexes.map(\.propertyNames).filter { !$0.isEmpty }.compactMap(Self.keyPaths)
        return (unique.isEmpty ? [] : ["#Unique<\(entity.name)>(\(unique.joined(separator: ", ")))"])
            + (indexes.isEmpty ? [] : ["#Index<\(entity.name)>(\(indexes.joined(separator: ", ")))"])
    }

    /// - Returns: `nil` if a name is no key path, as in an index on an expression.
    private static func keyPaths(_ names: [String]) -> String? {
        names.allSatisfy(SwiftName.isPath) ? "[\(names.map { "\\.\($0)" }.joined(separator: ", "))]" : nil
    }

    // MARK: Attributes

    private func declaration(_ found: EntityAttribute) -> [String] {
        let attribute = found.attribute
        if let source = attribute.derivation.map(SwiftName.comment) {
            return [
                "// \(attribute.name): \(SwiftTypeName.plain(attribute))? is derived in the store from \(source)."
            ]
        }
        var lines: [String] = []
        if attribute.type == .transformable {
            let name = attribute.transformerName.map { " by \(SwiftName.comment($0))" } ?? ""
            lines.append("// The app alone knows the type, which is transformed to bytes\(name).")
        }
        let options = options(attribute)
        let prefix = options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) "
        lines.append("\(prefix)var \(SwiftName.escaped(attribute.name)): \(type(found))\(defaultText(attribute))")
        return lines
    }

    private func type(_ attribute: EntityAttribute) -> String {
        let name =
            attribute.attribute.type == .composite
            ? types.name(attribute, model) : SwiftTypeName.plain(attribute.attribute)
        return name + (attribute.attribute.isOptional ? "?" : "")
    }

    private func options(_ attribute: Attribute) -> [String] {
        var options: [String] = []
        if entity.uniquenessConstraints.contains([attribute.name]) { options.append(".unique") }
        if attribute.allowsExternalStorage { options.append(".externalStorage") }
        if attribute.preservesValueOnDeletion { options.append(".preserveValueOnDeletion") }
        if attribute.isTransient { options.append(".ephemeral") }
        if attribute.type == .transformable, let name = attribute.transformerName, name != "NSSecureUnarchiveFromData" {
            options.append(".transformable(by: \(SwiftName.literal(name)))")
        }
        if let name = attribute.renamingIdentifier, name != attribute.name {
            options.append("originalName: \(SwiftName.literal(name))")
        }
        if let modifier = attribute.versionHashModifier {
            options.append("hashModifier: \(SwiftName.literal(modifier))")
        }
        return options
    }

    /// A default UUID was created anew for each object.
    private func defaultText(_ attribute: Attribute) -> String {
        guard attribute.type != .composite, let value = attribute.defaultValue?.first else { return "" }
        switch value {
        case .integer(let number): return attribute.type == .boolean ? " = \(number != 0)" : " = \(number)"
        case .real(let number):
            guard number.isFinite else { return "" }
            return attribute.type == .date ? " = Date(timeIntervalSinceReferenceDate: \(number))" : " = \(number)"
        case .text(let text):
            return attribute.type == .uri
                ? " = URL(string: \(SwiftName.literal(text)))!" : " = \(SwiftName.literal(text))"
        case .uuid: return " = UUID()"
        case .decimal(let number): return " = \(number)"
        case .bytes(let data): return data.isEmpty ? " = Data()" : ""
        case .null, .reference: return ""
        }
    }

    private func hasDefault(_ attribute: Attribute) -> Bool {
        attribute.isOptional || attribute.isDerived || !defaultText(attribute).isEmpty
    }

    // MARK: Relationships

    private func declaration(_ found: EntityRelationship) -> [String] {
        let relationship = found.relationship
        var options: [String] = []
        if relationship.deleteRule != .nullify { options.append("deleteRule: .\(relationship.deleteRule)") }
        if relationship.cardinality == .toMany {
            if relationship.minimumCount > 0 { options.append("minimumModelCount: \(relationship.minimumCount)") }
            if relationship.maximumCount > 0 { options.append("maximumModelCount: \(relationship.maximumCount)") }
        }
        if let name = relationship.renamingIdentifier, name != relationship.name {
            options.append("originalName: \(SwiftName.literal(name))")
        }
        if let inverse = inverseToName(found) {
            options.append("inverse: \\\(relationship.destinationName).\(inverse)")
        }
        if let modifier = relationship.versionHashModifier {
            options.append("hashModifier: \(SwiftName.literal(modifier))")
        }
        let prefix = options.isEmpty ? "" : "@Relationship(\(options.joined(separator: ", "))) "
        var remarks: [String] = []
        if relationship.isOrdered { remarks.append("// Ordered in the store, which SwiftData cannot say.") }
        if model.isOwnInverse(found) {
            remarks.append("// Its own inverse in the store, which a macro cannot say: Swift takes it for a circle.")
        }
        return remarks + ["\(prefix)var \(SwiftName.escaped(relationship.name)): \(Self.type(relationship))"]
    }

    /// Only one end names the inverse: if both did, it would be a circular reference. The end with more details names
    /// it.
    private func inverseToName(_ found: EntityRelationship) -> String? {
        guard let inverse = model.inverse(of: found), !model.isOwnInverse(found) else { return nil }
        func weight(_ end: EntityRelationship) -> Int {
            (end.relationship.deleteRule == .cascade ? 4 : 0) + (end.isToOne ? 0 : 2)
        }
        let (own, other) = (weight(found), weight(inverse))
        if own != other { return own > other ? inverse.name : nil }
        let isFirst =
            (model[found.declaringIndex].name, found.name) < (model[inverse.declaringIndex].name, inverse.name)
        return isFirst ? inverse.name : nil
    }

    private static func type(_ relationship: Relationship) -> String {
        let name =
            relationship.cardinality == .toOne ? relationship.destinationName : "[\(relationship.destinationName)]"
        return relationship.isOptional ? name + "?" : name
    }

    // MARK: Initializer

    private struct Parameter {
        let name: String
        let type: String
        let isInherited: Bool

        var declaration: String { "\(SwiftName.escaped(name)): \(type)" }
    }

    /// The parameters are attributes without a default value, and mandatory destinations. To-many relationships start
    /// empty.
    private var initializer: [String] {
        var parameters = entity.attributes.filter { !hasDefault($0.attribute) }.map {
            Parameter(name: $0.name, type: type($0), isInherited: $0.declaringIndex != entity.index)
        }
        parameters += entity.relationships.filter { $0.isToOne && !$0.relationship.isOptional }.map {
            Parameter(name: $0.name, type: Self.type($0.relationship), isInherited: $0.declaringIndex != entity.index)
        }
        let lists = relationships.filter { !$0.isToOne && !$0.relationship.isOptional }.map(\.name)
        // An initializer without parameters of its own overrides the superclass's initializer.
        let isOverride = entity.superentityIndex != nil && parameters.allSatisfy(\.isInherited)
        let start = isOverride ? "override init(" : "init("
        var lines = ["\(start)\(parameters.map(\.declaration).joined(separator: ", "))) {"]
        if lines[0].count > 110 {
            lines =
                [start]
                + parameters.enumerated().map { place, parameter in
                    "    \(parameter.declaration)\(place == parameters.count - 1 ? "" : ",")"
                } + [") {"]
        }
        lines += parameters.filter { !$0.isInherited }.map { "    self.\($0.name) = \(SwiftName.escaped($0.name))" }
        lines += lists.map { "    self.\($0) = []" }
        if entity.superentityIndex != nil {
            let inherited = parameters.filter(\.isInherited)
            lines.append(
                "    super.init(\(inherited.map { "\($0.name): \(SwiftName.escaped($0.name))" }.joined(separator: ", ")))"
            )
        }
        return lines + ["}"]
    }
}
