/// Evaluates the expression tree over objects in memory. This is the reference for the meaning of each case, and
/// filters unsaved changes.
///
/// An evaluator caches the long lists that it has searched, so use one for all objects of a query.
package struct QueryEvaluator<Source: QueryObjectSource> {
    package typealias Object = Source.Object

    let source: Source
    let memberLists = MemberLists()

    package init(_ source: Source) {
        self.source = source
    }

    /// Whether the object passes the test.
    package func test(_ expression: QueryExpression, root: Object) throws -> Bool {
        try test(expression, Bindings(root: root))
    }

    /// Returns the value of an expression; an object's value is its reference, that of a test is 1 or 0.
    package func value(_ expression: QueryExpression, root: Object) throws -> Value {
        try value(expression, Bindings(root: root))
    }

    /// The object of each variable.
    struct Bindings {
        let root: Object
        /// The innermost is last; there are rarely more than two.
        private var bound: [(variable: QueryVariable, object: Object)] = []

        init(root: Object) { self.root = root }

        func binding(_ variable: QueryVariable, to object: Object) -> Bindings {
            var copy = self
            copy.bound.append((variable, object))
            return copy
        }

        subscript(variable: QueryVariable) -> Object? {
            if variable == .root { return root }
            return bound.last { $0.variable == variable }?.object
        }
    }
}
