import ObjectGraph

/// Properties that `@Model` classes cannot express exactly. If there are any, a store of the model is migrated when it
/// is opened with such classes, as the version hashes differ.
struct InexactProperties {
    /// Such as `Item.tags (ordered)`, or an entity's name alone.
    let names: [String]

    init(_ model: Model) {
        names = model.entities.flatMap { entity in
            Self.reasons(of: entity).map { "\(entity.name) (\($0))" }
                + entity.attributes.filter { $0.declaringIndex == entity.index }.compactMap { found in
                    Self.reason(found.attribute).map { "\(entity.name).\(found.name) (\($0))" }
                }
                + entity.relationships.filter { $0.declaringIndex == entity.index }.compactMap { found in
                    Self.reason(found, model).map { "\(entity.name).\(found.name) (\($0))" }
                }
        }
    }

    private static func reasons(of entity: Entity) -> [String] {
        (entity.isAbstract ? ["abstract"] : []) + (entity.versionHashModifier != nil ? ["hash modifier"] : [])
    }

    private static func reason(_ attribute: Attribute) -> String? {
        if attribute.isTransient { return nil }
        if attribute.isDerived { return "derived" }
        switch attribute.type {
        case .transformable: return "transformable"
        // In SwiftData, all parts of a composite value are optional.
        case .composite: return attribute.leaves.allSatisfy(\.isOptional) ? nil : "composite with mandatory parts"
        default: return nil
        }
    }

    private static func reason(_ found: EntityRelationship, _ model: Model) -> String? {
        let relationship = found.relationship
        if relationship.isTransient { return nil }
        if relationship.isOrdered { return "ordered" }
        if model.isOwnInverse(found) { return "its own inverse" }
        return found.isToOne && relationship.minimumCount > 0 ? "mandatory" : nil
    }

    /// The lines of a comment; empty if everything can be expressed.
    var comment: [String] {
        guard !names.isEmpty else { return [] }
        let list = names.prefix(Self.longestList).map { "//   \(SwiftName.comment($0))" }
        let rest = names.count > list.count ? ["//   … and \(names.count - list.count) more"] : []
        return [
            "// Opening the store with these classes migrates it, and the app that owns it may refuse it then. Classes that",
            "// leave it as it is are made by `modelstore schema --as coredata`. What cannot be said exactly here:",
        ] + list + rest
    }

    private static let longestList = 40
}
