/// A property of a managed object class, kept by the object's context: what `@NSManaged` is where there is Objective-C.
///
/// ```swift
/// final class Animal: NSManagedObject {
///     @Managed var name: String?
///     @Managed var legs: Int16
///     @Managed var friends: Set<Animal>
/// }
/// ```
///
/// The name is the one in the model. Types that are not optional must have a value that stands for a missing one, see
/// ``ManagedScalar``; links to one object are optional.
@attached(accessor)
public macro Managed() = #externalMacro(module: "SwiftDataMacros", type: "ManagedPropertyMacro")
