import Foundation

// A single input is a pack too. A macro without a pack would be checked faster, but Foundation's macro is a candidate
// everywhere, and the compiler would prefer it for closures that compare optionals.

/// A condition on models, which a store can be asked and memory can test.
///
/// ```swift
/// let recent = #Predicate<Book> { $0.published > lastYear }
/// let wanted = #Predicate<Book> { recent.evaluate($0) && $0.kind == .novel && $0.author?.name == name }
/// ```
///
/// It is the one that is used where all inputs are models; for other types Foundation's is. Both make the same trees.
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
/// - Note: The compiler checks the closure as it is written before the macro sees it. When it gives up on a long one, of a
///   dozen comparisons or of several enum cases with a leading dot, give the parameter a type:
///   `{ (book: Book) -> Bool in … }`.
/// - Important: Foundation's description of predicates ends the process where they have nodes that Foundation lacks on this
///   system: those of `evaluate` and of the localized functions. Do not print such predicates.
@freestanding(expression)
public macro Predicate<each Input: PersistentModel>(
    _ body: (repeat each Input) -> Bool
) -> Foundation.Predicate<repeat each Input> =
    #externalMacro(module: "SwiftDataMacros", type: "ModelPredicateMacro")

/// A value computed from models, for use in predicates: `pages.evaluate($0) > 300`.
///
/// The closure may have what `#Predicate` may have.
@freestanding(expression)
public macro Expression<each Input: PersistentModel, Value>(
    _ body: (repeat each Input) -> Value
) -> Foundation.Expression<repeat each Input, Value> =
    #externalMacro(module: "SwiftDataMacros", type: "ModelExpressionMacro")
