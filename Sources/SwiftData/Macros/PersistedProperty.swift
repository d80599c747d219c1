/// Put on persisted properties by ``Model()``; not meant to be written.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(`_`))
public macro _PersistedProperty() =
    #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

/// Put by ``Model()`` on properties whose value goes through a value transformer; not meant to be written.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(`_`))
public macro _TransformablePersistedProperty() =
    #externalMacro(module: "SwiftDataMacros", type: "TransformablePersistedPropertyMacro")

/// Put on designated initializers by ``Model()``; not meant to be written.
///
/// The initializer tells the engine at its end which object the new record belongs to, so that relationships can
/// name the object before anyone inserts it.
@attached(body)
public macro _ModelInitializer() = #externalMacro(module: "SwiftDataMacros", type: "ModelInitializerMacro")
