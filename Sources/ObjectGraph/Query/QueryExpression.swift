/// The one tree every predicate and sort key is turned into, whatever language it was written in. It is compiled to SQL
/// and evaluated in memory; both give the same answer.
///
/// Three kinds of case: those that give an object (or none), those that give a `Value` (or `.null`), and tests. A test
/// is never unknown: where SQL would say NULL it is false, so `not` is always the opposite. A test may stand where a
/// value is wanted (1 or 0), and a value where a test is wanted (true when it is neither null nor zero).
///
/// Nil follows Swift: `nil == nil` is true, `nil != x` is true, every ordering and text test against nil is false, and
/// anything reached through a missing object is nil.
package indirect enum QueryExpression: Sendable, Hashable {
    // MARK: Objects

    /// The fetched object (`.root`) or one bound by `exists`, `all`, `filtered` or `aggregate`.
    case variable(QueryVariable)
    /// The destination of a to-one relationship.
    case toOne(QueryExpression, RelationshipReference)
    /// The object if it is of the entity or one below it, else none (`as?`).
    case cast(QueryExpression, entityIndex: Int)
    /// The member of a collection at a place in its relationship's order; none where there are not so many.
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
    /// The first unless it is nil, else the second (`??`).
    case coalesce(QueryExpression, QueryExpression)
    /// How many objects a collection has.
    case count(QueryCollection)
    /// What the values of a collection's members come to.
    case aggregate(AggregateFunction, QueryCollection, QueryVariable, QueryExpression)
    /// -1, 0 or 1, as `ComparisonResult`; nil when either side is.
    case textOrder(TextOrder, QueryExpression, QueryExpression)
    case textLength(QueryExpression)
    /// A function of values; nil where it has no result.
    case function(ScalarFunction, [QueryExpression])

    // MARK: Tests

    case constant(Bool)
    case compare(ComparisonOperator, QueryExpression, QueryExpression)
    case and([QueryExpression])
    case or([QueryExpression])
    case not(QueryExpression)
    /// The value equals one of the list; `.null` may be listed.
    case isMember(QueryExpression, of: [Value])
    /// A test of the first text against the second.
    case text(TextTest, QueryExpression, QueryExpression)
    /// The object is there and is of the entity or one below it (`is`).
    case isKind(QueryExpression, entityIndex: Int)
    /// Some member of the collection, bound to the variable, passes the test.
    case exists(QueryCollection, QueryVariable, QueryExpression)
    /// Every member of the collection, bound to the variable, passes the test; true for an empty collection.
    case all(QueryCollection, QueryVariable, QueryExpression)
}

/// Objects reached through to-many relationships.
package indirect enum QueryCollection: Sendable, Hashable {
    case toMany(QueryExpression, RelationshipReference)
    case filtered(QueryCollection, QueryVariable, QueryExpression)
    /// For each member of the first, bound to the variable, the members of the second. What several ways lead to is
    /// there several times.
    case joined(QueryCollection, QueryVariable, QueryCollection)
}

/// A place in an order.
package enum QueryPlace: Sendable, Hashable {
    /// From 0.
    case index(Int)
    case last
}

/// A name for an object within one expression. `root` is the fetched object; others are numbered by the front end and
/// never used twice.
package struct QueryVariable: Sendable, Hashable {
    package let number: Int
    package static let root = QueryVariable(0)

    package init(_ number: Int) { self.number = number }
}

/// A leaf of an attribute, resolved: `slot` is its place in the snapshots of the entity and of those below it.
package struct AttributeReference: Sendable, Hashable {
    package let entityIndex: Int
    package let slot: Int
    /// For messages: `name`, or `name.leaf` within a composite.
    package let path: String

    package init(entityIndex: Int, slot: Int, path: String) {
        self.entityIndex = entityIndex
        self.slot = slot
        self.path = path
    }
}

/// A relationship, resolved: `index` is its place in `Entity.relationships` of the entity and of those below it.
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

/// Integer operators work on 64 bits and wrap to nil when they overflow or divide by zero; `divide` on two integers
/// truncates as Swift does.
package enum ArithmeticOperator: Sendable, Hashable, CaseIterable {
    case add, subtract, multiply, divide, remainder
}

/// Case-sensitive unless the name says otherwise. The empty text is contained in, begins and ends every text.
package enum TextTest: Sendable, Hashable, CaseIterable {
    case contains, beginsWith, endsWith
    /// Case, diacritics and width are ignored, as `localizedStandardContains` does.
    case containsLocalizedStandard
    /// The whole text matches the regular expression given as text, in the language of Swift's `Regex`.
    case matches
    /// The whole text matches a pattern in which `?` is any one character and `*` any number of them; a backslash before
    /// them takes their meaning away.
    case like
    /// The whole text matches the regular expression given as text, in ICU's language.
    case matchesPattern
    /// The same without regard to case.
    case matchesPatternIgnoringCase
    /// One uniform type identifier is, or conforms to, the other.
    case conformsToType
    /// Two uniform type identifiers are of one type.
    case equalsType
}

package enum TextOrder: Sendable, Hashable, CaseIterable {
    /// By UTF-8 bytes.
    case binary
    /// As `caseInsensitiveCompare`.
    case caseInsensitive
    /// As `localizedCompare`.
    case localized
    /// As `localizedStandardCompare`: numbers by value, case second.
    case localizedStandard
    /// As `localizedCaseInsensitiveCompare`.
    case localizedCaseInsensitive
}
