/// Makes a class a model: its stored properties are persistent, observed, and part of a ``Schema``.
///
/// ```swift
/// @Model
/// final class Animal {
///     @Attribute(.unique) var name: String
///     var owner: Person?
///
///     init(name: String) { self.name = name }
/// }
/// ```
///
/// Computed, `static`, `lazy` and ``Transient()`` properties are not stored. A constant (`let`) is stored, whether it is
/// declared with its value or set in an initializer, and keeps the value that it was given or that was read with its row; a
/// relationship cannot be a constant. `willSet` and `didSet` run when a property is set, as they do in any class, and not
/// during initialization. <doc:ModelErrors> explains the compiler's errors in model classes.
///
/// A model may inherit from another model; both have the macro. A model is used in the isolation of its context only; pass
/// its ``PersistentModel/persistentModelID`` across isolations instead.
@attached(
    member, conformances: Observable, PersistentModel, Sendable,
    names: named(_$class), named(_$Slots), named(_$slots), named(_$storage), named(_$modelStorage), named(_$share),
    named(persistentBackingData),
    named(schemaMetadata), named(init), named(access), named(withMutation)
)
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelMacro")
