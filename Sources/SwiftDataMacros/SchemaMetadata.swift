import SwiftSyntax

/// Generates the `schemaMetadata` of one class: its own persisted properties, then its `#Unique` and `#Index`
/// declarations.
struct SchemaMetadata {
    let model: ModelClass

    /// The lines of the generated property's body.
    var body: [String] {
        let appended =
            model.members.rendered { ModelProperty($0).flatMap(entry(for:)).map(append) }
            + model.members.rendered { $0.as(MacroExpansionDeclSyntax.self).flatMap(entry(for:)).map(append) }
            + (InitialValues(model: model).mayMakeObjects
                ? [append("SwiftData.Schema.PropertyMetadata._makesObjects")] : [])
        if appended.isEmpty { return ["[]"] }
        return ["var _$metadata: [SwiftData.Schema.PropertyMetadata] = []"] + appended + ["return _$metadata"]
    }

    private func append(_ entry: String) -> String { "_$metadata.append(\(entry))" }

    private func entry(for property: ModelProperty) -> String? {
        guard property.kind == .persisted else { return nil }
        let keyPath = "\\\(model.name).\(property.reference)"
        if property.isSetByInitializer {
            let label = property.isTransformable ? "transformableConstant" : "constant"
            return "SwiftData.Schema.PropertyMetadata(name: \"\(property.name)\", \(label): \(keyPath), "
                + "metadata: \(annotation(of: property)))"
        }
        return metadata(
            name: property.name, keyPath: keyPath, defaultValue: defaultValue(of: property),
            metadata: annotation(of: property), silencing: property.silencedCodes)
    }

    private func entry(for expansion: MacroExpansionDeclSyntax) -> String? {
        let kind = expansion.macroName.text
        guard kind == "Unique" || kind == "Index" else { return nil }
        let generics = expansion.genericArgumentClause?.trimmedDescription ?? "<\(model.name)>"
        return metadata(
            name: "SwiftData.Schema.\(kind)",
            keyPath: "\\SwiftData.Schema.encodingVersion",
            defaultValue: "nil",
            metadata: "SwiftData.Schema.\(kind)\(generics)(\(expansion.arguments.trimmedDescription))"
        )
    }

    private func metadata(
        name: String, keyPath: String, defaultValue: String, metadata: String, silencing codes: [String] = []
    ) -> String {
        let silence = codes.isEmpty ? "" : ", silencing: [\(codes.map { "\"\($0)\"" }.joined(separator: ", "))]"
        return "SwiftData.Schema.PropertyMetadata(name: \"\(name)\", keypath: \(keyPath), "
            + "defaultValue: \(defaultValue), metadata: \(metadata)\(silence))"
    }

    /// The default value with the property's type, so that `.dog`, `[]` and `1` have the same meaning as at the
    /// property.
    private func defaultValue(of property: ModelProperty) -> String {
        guard let value = property.initialValue else { return "nil" }
        guard let type = property.annotatedType else { return value.description }
        return "(\(value)) as \(type)"
    }

    private func annotation(of property: ModelProperty) -> String {
        for kind in ["Relationship", "Attribute"] {
            guard let attribute = property.declaration.attributes.attribute(named: kind) else { continue }
            return "SwiftData.Schema.\(kind)(\(attribute.argumentList.trimmedDescription))"
        }
        return "nil"
    }
}
