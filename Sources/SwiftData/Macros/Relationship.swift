/// Says how a property that holds other models behaves.
///
/// - Parameters:
///   - options: `.unique`.
///   - deleteRule: what deleting this model does to the models on the other side.
///   - minimumModelCount: the least number of models, checked at save. An optional relationship may have none all the same.
///   - maximumModelCount: the greatest number of models, `0` for no limit, checked at save.
///   - originalName: the name the property had in the previous version of the model.
///   - inverse: the property of the other model that leads back. Write it on one side only.
///   - hashModifier: any text; a new one makes a new version of the model although nothing else changed.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
    inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "RelationshipPropertyMacro")
