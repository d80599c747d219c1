import Foundation
import ObjectGraph

/// Turns attribute descriptions into the engine's attributes.
struct AttributeCompiler {
    let entity: String

    /// - Throws: `ManagedObjectModelError`.
    func attribute(_ description: NSAttributeDescription) throws(ManagedObjectModelError) -> Attribute {
        try attribute(description, path: description.name, depth: 0)
    }

    private func attribute(
        _ description: NSAttributeDescription, path: String, depth: Int
    ) throws(ManagedObjectModelError) -> Attribute {
        guard depth < ModelCompiler.compositeLimit else { throw .tooDeep(entity: entity) }
        guard PlainName.isValid(description.name) else { throw .unusableName(entity: entity, property: path) }
        var attribute = Attribute(
            description.name, try type(of: description, path: path), optional: description.isOptional)
        attribute.isTransient = description.isTransient
        attribute.allowsExternalStorage = description.allowsExternalBinaryDataStorage
        attribute.preservesValueOnDeletion = description.preservesValueInHistoryOnDeletion
        attribute.versionHashModifier = description.versionHashModifier
        attribute.renamingIdentifier = description.formerName
        attribute.transformerName = description.valueTransformerName
        attribute.isEnum = description.userInfo?[Self.enumMark] != nil
        if attribute.type == .composite {
            for element in try elements(of: description, path: path) {
                let elementPath = path + "." + element.name
                attribute.elements.append(try self.attribute(element, path: elementPath, depth: depth + 1))
            }
        }
        if let derived = description as? NSDerivedAttributeDescription {
            guard let text = derived.derivationText else {
                throw .derivationMissing(entity: entity, attribute: path)
            }
            attribute.derivation = text
            attribute.derivationFilter = derived.filteringText
        }
        attribute.defaultValue = try defaultValue(of: description, attribute, path: path)
        return attribute
    }

    /// Key of the user info that marks a composite as that of an enum.
    static let enumMark = "EnumType"

    /// Transient attributes may be of any type; they have no column.
    private func type(
        of description: NSAttributeDescription, path: String
    ) throws(ManagedObjectModelError) -> ObjectGraph.AttributeType {
        if let type = description.attributeType.engineType { return type }
        guard description.isTransient else {
            throw .unstorableType(entity: entity, attribute: path, type: description.attributeType)
        }
        return .transformable
    }

    private func elements(
        of description: NSAttributeDescription, path: String
    ) throws(ManagedObjectModelError) -> [NSAttributeDescription] {
        guard let composite = description as? NSCompositeAttributeDescription, !composite.elements.isEmpty else {
            throw .compositeWithoutElements(entity: entity, attribute: path)
        }
        return composite.elements
    }

    // MARK: Default values

    private func defaultValue(
        of description: NSAttributeDescription, _ attribute: Attribute, path: String
    ) throws(ManagedObjectModelError) -> [Value]? {
        guard let value = description.defaultValue, !(value is NSNull) else { return nil }
        if attribute.type == .transformable { return nil }
        guard attribute.type == .composite else {
            guard let stored = StoredValue.value(value, attribute.type) else {
                throw .unsuitableDefault(entity: entity, attribute: path)
            }
            return [stored]
        }
        guard let dictionary = value as? [String: Any] else {
            throw .unsuitableDefault(entity: entity, attribute: path)
        }
        var values: [Value] = []
        for leaf in attribute.leaves {
            let element = dictionary[leaf.name].flatMap { $0 is NSNull ? nil : $0 }
            guard let element else {
                values.append(.null)
                continue
            }
            guard let stored = StoredValue.value(element, leaf.type) else {
                throw .unsuitableDefault(entity: entity, attribute: path + "." + leaf.name)
            }
            values.append(stored)
        }
        return values
    }
}
