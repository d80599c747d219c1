/// Says how a persisted property is stored.
///
/// - Parameters:
///   - options: such as `.unique`, `.externalStorage` or `.transformable(by:)`.
///   - originalName: the name the property had in the previous version of the model.
///   - hashModifier: any text; a new one makes a new version of the model although nothing else changed.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "AttributePropertyMacro")

/// Keeps a stored property out of the store.
///
/// The property needs a default value or an optional type, because the store creates objects without asking for it.
@attached(peer)
public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "TransientPropertyMacro")
