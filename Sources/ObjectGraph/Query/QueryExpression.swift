/// The common expression tree for predicates and sort keys in any language. It is compiled to SQL and evaluated in
/// memory, with equal results.
///
/// There are three kinds of case: objects (or none), values (a `Value`, or `.null`), and tests. A test is never
/// unknown: where SQL would yield NULL, it is false, so `not` is always the opposite. A test may be used as a value (1
/// or 0), and a value as a test (true if it is neither null nor zero).
///
/// Nil behaves as in Swift: `nil == nil` is true, `nil != x` is true, every ordering and text test with nil is false,
/// and every property of a missing object is nil.
package indirect enum QueryExpression: Sendable, Hashable {
    // MARK: Objects

    /// The fetched object (`.root`) or one bound by `exists`, `all`, `filtered` or `aggregate`.
    case variable(QueryVariable)
    /// The destination of a to-one relationship.
    case toOne(QueryExpression, RelationshipReference)
    /// The object if it is of the entity or a subentity, otherwise none (`as?`).
    case cast(QueryExpression, entityIndex: Int)
    /// The member of a collection at a place in its relationship's order; none if the place is beyond the last.
    case member(QueryCollection, at: QueryPlace)

    // MARK: Values

    case literal(Value)
    /// One leaf of an attribute of an object.
    case attribute(QueryExpression, AttributeReference)
    /// The identity of an object, as `.reference`.
    case identity(QueryExpression)
    case arithmetic(ArithmeticOperator, QueryExpression, QueryExpression)
    case negative(QueryExpression)
    case conditional(test: QueryExpression, then: QueryExpression, otherwise: QueryExpression)
    /// The first value unless it is nil, otherwise the second (`??`).
    case coalesce(QueryExpression, QueryExpression)
    /// The number of objects in a collection.
    case count(QueryCollection)
    /// An aggregate of values of a collection's members.
    case aggregate(AggregateFunction, QueryCollection, QueryVariable, QueryExpression)
    /// -1, 0 or 1, like `ComparisonResult`; nil if either side is nil.
    case textOrder(TextOrder, QueryExpression, QueryExpression)
    case textLength(QueryExpression)
    /// A function of values; nil if it has no result.
    case function(ScalarFunction, [QueryExpression])

    // MARK: Tests

    case constant(Bool)
    case compare(ComparisonOperator, QueryExpression, QueryExpression)
    case and([QueryExpression])
    case or([QueryExpression])
    case not(QueryExpression)
    /// Whether the value equals one of the list; the list may contain `.null`.
    case isMember(QueryExpression, of: [Value])
    /// A test of the first text against the second.
    case text(TextTest, QueryExpression, QueryExpression)
    /// Whether the object exists and is of the entity or a subentity (`is`).
    case isKind(QueryExpression, entityIndex: Int)
    /// Whether at least one member of the collection, bound to the variable, passes the test.
    case exists(QueryCollection, QueryVariable, QueryExpression)
    /// Whether every member of the collection, bound to the variable, passes the test; true for an empty collection.
    case all(QueryCollection, QueryVariable, QueryExpression)
}

/// Objects at the end of to-many relationships.
package indirect enum QueryCollection: Sendable, Hashable {
    case toMany(QueryExpression, RelationshipReference)
    case filtered(QueryCollection, QueryVariable, QueryExpression)
    /// For each member of the first collection, bound to the variable, the members of the second. Objects reached in
    /// several ways occur several times.
    case joined(QueryCollection, QueryVariable, QueryCollection)
}

/// A place in an order.
package enum QueryPlace: Sendable, Hashable {
    /// From 0.
    case index(Int)
    case last
}

/// The name of an object within one expression. `root` is the fetched object; the front end numbers the others
/// uniquely.
package struct QueryVariable: Sendable, Hashable {
    package let number: Int
    package static let root = QueryVariable(0)

    package init(_ number: Int) { self.number = number }
}

/// A resolved leaf of an attribute. `slot` is its position in the snapshots of the entity and its subentities.
package struct AttributeReference: Sendable, Hashable {
    package let entityIndex: Int
    package let slot: Int
    /// The name for messages: `name`, or `name.leaf` for a part of a composite.
    package let path: String

    package init(entityIndex: Int, slot: Int, path: String) {
        self.entityIndex = entityIndex
        self.slot = slot
        self.path = path
    }
}

/// A resolved relationship. `index` is its position in `Entity.relationships` of the entity and its subentities.
package struct RelationshipReference: Sendable, Hashable {
    package let entityIndex: Int
    package let index: Int
    package let name: String

    package init(entityIndex: Int, index: Int, name: String) {
        self.entityIndex = entityIndex
        self.index = index
        self.name = name
    }
}

package enum ComparisonOperator: Sendable, Hashable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// Arithmetic operators. Those on integers use 64 bits, and yield nil on overflow or division by zero; `divide`
/// truncates the quotient of two integers, as in Swift.
package enum ArithmeticOperator: Sendable, Hashable, CaseIterable {
    case add, subtract, multiply, divide, remainder
}

/// Case-sensitive unless the name says otherwise. Every text contains, begins with and ends with the empty text.
package enum TextTest: Sendable, Hashable, CaseIterable {
    case contains, beginsWith, endsWith
    /// Ignores case, diacritics and width, like `localizedStandardContains`.
    case containsLocalizedStandard
    /// The whole text matches the regular expression, in the syntax of Swift's `Regex`.
    case matches
    /// The whole text matches a pattern in which `?` is any one character and `*` any number of characters; a backslash
    /// escapes them.
    case like
    /// The whole text matches the regular expression, in ICU's syntax.
    case matchesPattern
    /// Like `matchesPattern`, but ignores case.
    case matchesPatternIgnoringCase
    /// The first uniform type identifier equals or conforms to the second.
    case conformsToType
    /// Two uniform type identifiers name one type.
    case equalsType
}

package enum TextOrder: Sendable, Hashable, CaseIterable {
    /// By UTF-8 bytes.
    case binary
    /// Like `caseInsensitiveCompare`.
    case caseInsensitive
    /// Like `localizedCompare`.
    case localized
    /// Like `localizedStandardCompare`: compares numbers by value; case resolves ties.
    case localizedStandard
    /// Like `localizedCaseInsensitiveCompare`.
    case localizedCaseInsensitive
}
