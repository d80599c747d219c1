/// The expression tree evaluated over objects in memory: the reference for what each case means, and what pending
/// changes are filtered with.
///
/// An evaluator remembers the long lists it has looked values up in, so use one for all objects of a query.
package struct QueryEvaluator<Source: QueryObjectSource> {
    package typealias Object = Source.Object

    let source: Source
    let memberLists = MemberLists()

    package init(_ source: Source) {
        self.source = source
    }

    /// Whether the object passes.
    package func test(_ expression: QueryExpression, root: Object) throws -> Bool {
        try test(expression, Bindings(root: root))
    }

    /// The value of an expression; an object gives its reference, a test 1 or 0.
    package func value(_ expression: QueryExpression, root: Object) throws -> Value {
        try value(expression, Bindings(root: root))
    }

    /// Which object each variable stands for.
    struct Bindings {
        let root: Object
        /// Innermost last; rarely more than two.
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
