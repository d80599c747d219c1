/// A query that groups rows and computes values for each group.
///
/// Groups are in the order in which the query finds their first rows.
package struct GroupQuery: Sendable, Hashable {
    /// The rows and their order. Limit and offset are ignored.
    package var rows: Query
    /// The expressions whose values the rows of a group share. Without any, all rows are one group, which exists even
    /// without rows.
    package var keys: [QueryExpression]
    package var results: [Result]
    /// The condition that groups must meet; `nil` for all groups.
    package var having: GroupCondition?

    package struct Result: Sendable, Hashable {
        package var function: AggregateFunction
        package var operand: QueryExpression
        package var numbers: AggregateNumbers

        package init(
            _ function: AggregateFunction, of operand: QueryExpression, with numbers: AggregateNumbers = .reals
        ) {
            self.function = function
            self.operand = operand
            self.numbers = numbers
        }
    }

    package init(_ rows: Query, by keys: [QueryExpression], results: [Result], having: GroupCondition? = nil) {
        self.rows = rows
        self.keys = keys
        self.results = results
        self.having = having
    }
}

/// One group of a `GroupQuery`: a value for each key and each result.
package struct RowGroup: Sendable, Hashable {
    package let keys: [Value]
    package let results: [Value]

    package init(keys: [Value], results: [Value]) {
        self.keys = keys
        self.results = results
    }
}
