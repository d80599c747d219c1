import Foundation

// A single input is a pack too. The compiler would check a macro without a pack faster, but Foundation's macro is always a
// candidate, and the compiler would prefer it for closures that compare optionals.

/// Creates a condition on models that a store, and memory, can evaluate.
///
/// ```swift
/// let recent = #Predicate<Book> { $0.published > lastYear }
/// let wanted = #Predicate<Book> { recent.evaluate($0) && $0.kind == .novel && $0.author?.name == name }
/// ```
///
/// This macro is used where all inputs are models; for other types Foundation's macro is used. Both make the same trees.
///
/// The closure is one expression, or `if` and `else` with one expression each. It may contain:
///
/// - `&&`, `||`, `!`, comparisons, arithmetic, `??`, `!`, `?.`, `?:`, `is`, `as?`, `as!`, ranges with two ends;
/// - properties, also through relationships, and `count`, `isEmpty` and the like of their values;
/// - `contains(_:)`, `contains(where:)`, `allSatisfy`, `filter`, `flatMap`, `starts(with:)`, `min()`, `max()`,
///   `localizedStandardContains`, `localizedCompare`, `caseInsensitiveCompare`, and subscripts;
/// - literals and captured values; enum cases and other members of types, such as `.novel`, `Kind.novel` and `Date.now`;
/// - `evaluate` of captured predicates and expressions.
///
/// The store evaluates stored properties, their parts, and properties of related models. It cannot evaluate a computed
/// property of a model: a fetch then reads the models that match the rest of the predicate, tests them in memory, and logs
/// that. Where many models are tested, store the computed value in a property of its own.
///
/// - Note: The compiler checks the closure as it is written before the macro sees it. When it gives up on a long one, of a
///   dozen comparisons or of several enum cases with a leading dot, give the parameter a type:
///   `{ (book: Book) -> Bool in … }`.
/// - Important: Foundation's description of a predicate ends the process if it has nodes that Foundation lacks on this
///   system: those of `evaluate` and of the localized functions. Do not print such predicates.
/// - Parameter body: The condition.
@freestanding(expression)
public macro Predicate<each Input: PersistentModel>(
    _ body: (repeat each Input) -> Bool
) -> Foundation.Predicate<repeat each Input> =
    #externalMacro(module: "SwiftDataMacros", type: "ModelPredicateMacro")

/// Creates a value computed from models, for use in predicates: `pages.evaluate($0) > 300`.
///
/// The closure may contain everything that the closure of `#Predicate` may contain.
/// - Parameter body: The computation.
@freestanding(expression)
public macro Expression<each Input: PersistentModel, Value>(
    _ body: (repeat each Input) -> Value
) -> Foundation.Expression<repeat each Input, Value> =
    #externalMacro(module: "SwiftDataMacros", type: "ModelExpressionMacro")
