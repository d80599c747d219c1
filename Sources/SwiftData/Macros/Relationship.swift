/// Configures a relationship: a property that holds other models.
/// - Parameters:
///   - options: `.unique`, or none.
///   - deleteRule: The effect that deleting this model has on the models at the other end.
///   - minimumModelCount: The minimum number of models, checked by saves. An optional relationship may also be empty.
///   - maximumModelCount: The maximum number of models, `0` for no limit, checked by saves.
///   - originalName: The name of the property in the previous version of the model.
///   - inverse: The property of the other model that refers back to this one. Write it on one side only.
///   - hashModifier: Any text; another text makes a new version of the model although nothing else has changed.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
    inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "RelationshipPropertyMacro")
