/// A declaration of a model class that is valid, but does something else than it seems to.
enum SchemaWarning: Hashable {
    /// `@Attribute(.unique)` at a to-many relationship, where it has no effect.
    case uniqueToMany(entity: String, relationship: String)
    /// Stored properties of a subclass of a model that is not a model itself.
    case subclassWithoutMacro(entity: String, superentity: String, properties: [String])

    static func all(of schema: Schema) -> [SchemaWarning] {
        schema.modelTypes.flatMap { type in
            type.properties.compactMap { uniqueToMany($0, of: type) } + [unstored(type)].compactMap(\.self)
        }
    }

    private static func uniqueToMany(_ property: ModelProperty, of type: ModelType) -> SchemaWarning? {
        guard case .relationship(_, .toMany) = property.kind, let attribute = property.metadata as? Schema.Attribute,
            attribute.isUnique
        else { return nil }
        let warning = SchemaWarning.uniqueToMany(entity: type.entityName, relationship: property.name)
        let isMeant = type.type.schemaMetadata.contains {
            $0.name == property.name && $0.silencedWarnings.contains(warning.code)
        }
        return isMeant ? nil : warning
    }

    private static func unstored(_ type: ModelType) -> SchemaWarning? {
        guard let superType = type.superType, !type.hasMacro else { return nil }
        let names = (TypeReflection.fields(of: type.type, below: superType.type) ?? []).map(\.name)
        if names.isEmpty { return nil }
        return .subclassWithoutMacro(
            entity: type.entityName, superentity: superType.entityName, properties: names)
    }

    /// The code by which the warning is silenced.
    var code: String {
        switch self {
        case .uniqueToMany: "unique-to-many"
        case .subclassWithoutMacro: "subclass-without-macro"
        }
    }

    /// Whether one of the entries is `all`, the code, the class or the property.
    func isSilenced(by entries: Set<String>) -> Bool {
        var names = ["all", code]
        switch self {
        case .uniqueToMany(let entity, let relationship): names += [entity, "\(entity).\(relationship)"]
        case .subclassWithoutMacro(let entity, _, _): names.append(entity)
        }
        return !entries.isDisjoint(with: names)
    }
}

extension SchemaWarning: CustomStringConvertible {
    var description: String {
        switch self {
        case .uniqueToMany(let entity, let relationship):
            "'\(entity).\(relationship)' is a to-many relationship, for which '@Attribute(.unique)' has no effect; write "
                + "'@Relationship(.unique)' if no model may be in two lists, or remove the attribute. [\(code)]"
        case .subclassWithoutMacro(let entity, let superentity, let properties):
            "'\(entity)' inherits from model '\(superentity)' without being a model: "
                + "\(properties.map { "'\($0)'" }.joined(separator: ", ")) will not be stored; add '@Model' to the class. "
                + "[\(code)]"
        }
    }
}
