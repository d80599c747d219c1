import Foundation

/// A condition on models, which a store can be asked and memory can test.
///
/// ```swift
/// let recent = #Predicate<Book> { $0.published > lastYear }
/// let wanted = #Predicate<Book> { recent.evaluate($0) && $0.kind == .novel && $0.author?.name == name }
/// ```
///
/// It is used for inputs that are models; for other types Foundation's macro is. Both make the same trees.
///
/// The closure is one expression, or `if` and `else` with one expression each. It may have:
///
/// - `&&`, `||`, `!`, comparisons, arithmetic, `??`, `!`, `?.`, `?:`, `is`, `as?`, `as!`, ranges with two ends;
/// - properties, also through relationships, and `count`, `isEmpty` and the like of their values;
/// - `contains(_:)`, `contains(where:)`, `allSatisfy`, `filter`, `flatMap`, `starts(with:)`, `min()`, `max()`,
///   `localizedStandardContains`, `localizedCompare`, `caseInsensitiveCompare`, and subscripts;
/// - literals and captured values; enum cases and other members of types, such as `.novel`, `Kind.novel` and `Date.now`;
/// - `evaluate` of captured predicates and expressions.
///
/// A stored property, a part of one, and what relationships lead to are evaluated by the store. A computed property of a
/// model cannot be: a fetch reads the models that match the rest of the predicate and tests it in memory, and logs that it
/// did. Where many models are asked, store what is computed in a property of its own.
///
/// - Note: The compiler first checks the closure as it is written. When it gives up on a long one, give the parameter a
///   type: `{ (book: Book) in … }`.
@freestanding(expression)
public macro Predicate<Input: PersistentModel>(_ body: (Input) -> Bool) -> Foundation.Predicate<Input> =
    #externalMacro(module: "SwiftDataMacros", type: "ModelPredicateMacro")

/// A condition on several values, of which the first is a model.
@freestanding(expression)
public macro Predicate<First: PersistentModel, Second, each More>(
    _ body: (First, Second, repeat each More) -> Bool
) -> Foundation.Predicate<First, Second, repeat each More> =
    #externalMacro(module: "SwiftDataMacros", type: "ModelPredicateMacro")

/// A condition on several values, of which the second is a model.
@freestanding(expression)
public macro Predicate<First, Second: PersistentModel, each More>(
    _ body: (First, Second, repeat each More) -> Bool
) -> Foundation.Predicate<First, Second, repeat each More> =
    #externalMacro(module: "SwiftDataMacros", type: "ModelPredicateMacro")

/// A condition on several values, of which the first two are models.
@freestanding(expression)
public macro Predicate<First: PersistentModel, Second: PersistentModel, each More>(
    _ body: (First, Second, repeat each More) -> Bool
) -> Foundation.Predicate<First, Second, repeat each More> =
    #externalMacro(module: "SwiftDataMacros", type: "ModelPredicateMacro")

/// A value computed from a model, for use in predicates: `pages.evaluate($0) > 300`.
///
/// The closure may have what `#Predicate` may have.
@freestanding(expression)
public macro Expression<Input: PersistentModel, Value>(
    _ body: (Input) -> Value
) -> Foundation.Expression<Input, Value> =
    #externalMacro(module: "SwiftDataMacros", type: "ModelExpressionMacro")
