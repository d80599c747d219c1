/// Adds the accessors of a persisted property. Written by ``Model()``; in source only beside a macro of another library
/// that looks like a property wrapper and adds no accessors.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(`_`))
public macro _PersistedProperty() =
    #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

/// Adds the accessors of a property whose value passes through a value transformer. Written by ``Model()``, not in source.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(`_`))
public macro _TransformablePersistedProperty() =
    #externalMacro(module: "SwiftDataMacros", type: "TransformablePersistedPropertyMacro")

/// Extends a designated initializer of a model. Written by ``Model()``, not in source.
///
/// At its end, the initializer passes the object to the engine as the object of the new record, so that relationships can
/// refer to it before it is inserted.
@attached(body)
public macro _ModelInitializer() = #externalMacro(module: "SwiftDataMacros", type: "ModelInitializerMacro")
