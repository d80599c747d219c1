/// Makes a class a model: its stored properties are kept in a store, observed, and described to ``Schema``.
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
/// Computed, `static`, `lazy` and ``Transient()`` properties stay out of the store. A constant (`let`) is stored, whether
/// it is declared with its value or set in an initialiser, and keeps the value it was given or read with its row; a
/// relationship cannot be one. `willSet` and `didSet` run when a property is set, as they do in any class, and not during
/// initialisation. <doc:ModelErrors> explains what the compiler says of mistakes.
///
/// A model may inherit from another model; both carry the macro. Models stay with their context: what crosses
/// isolation is the ``PersistentModel/persistentModelID``.
@attached(
    member, conformances: Observable, PersistentModel, Sendable,
    names: named(_$class), named(_$Slots), named(_$slots), named(_$storage), named(_$modelStorage), named(_$share),
    named(persistentBackingData),
    named(schemaMetadata), named(init), named(access), named(withMutation)
)
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelMacro")
