/// Configures how a persisted property is stored.
/// - Parameters:
///   - options: Options such as `.unique`, `.externalStorage` or `.transformable(by:)`.
///   - originalName: The name of the property in the previous version of the model.
///   - hashModifier: Any text; another text makes a new version of the model although nothing else has changed.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "AttributePropertyMacro")

/// Keeps a stored property of a model out of the store.
///
/// The property needs a default value or an optional type, because objects of stored rows are created without a value for
/// it.
@attached(peer)
public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "TransientPropertyMacro")
