/// Rows put together in groups, and what the rows of each group come to.
///
/// Groups come in the order in which the query finds the first row of each.
package struct GroupQuery: Sendable, Hashable {
    /// Which rows, in which order. Its limit and offset are not looked at.
    package var rows: Query
    /// What the rows of a group have in common. Without any, all rows are one group, which is there without rows too.
    package var keys: [QueryExpression]
    package var results: [Result]

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

    package init(_ rows: Query, by keys: [QueryExpression], results: [Result]) {
        self.rows = rows
        self.keys = keys
        self.results = results
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
