/// Declares a property of a managed object class that is stored as a property of its entity, like `@NSManaged` with Objective-C.
///
/// ```swift
/// final class Animal: NSManagedObject {
///     @Managed var name: String?
///     @Managed var legs: Int16
///     @Managed var friends: Set<Animal>
/// }
/// ```
///
/// The property has the name of the model's attribute or relationship. A type that is not optional must have a value that stands
/// for a missing one, see ``ManagedScalar``. A relationship to one object should be optional; otherwise an empty object that is in
/// no context stands for a missing one.
@attached(accessor)
public macro Managed() = #externalMacro(module: "SwiftDataMacros", type: "ManagedPropertyMacro")
