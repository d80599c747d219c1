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

    /// Returns those of the objects that a query finds, in its order.
    /// - Parameter objects: In the order of equal ones.
    package func results(of query: Query, among objects: some Sequence<Object>) throws -> [Object] {
        let matching = try objects.filter { object in
            let index = source.entityIndex(of: object)
            let isWanted =
                query.includesSubentities
                ? source.model.isKind(index, of: query.entityIndex) : index == query.entityIndex
            guard isWanted, !query.excluded.contains(source.identifier(of: object)) else { return false }
            return try query.predicate.map { try test($0, root: object) } ?? true
        }
        let rest = try sorted(matching, by: query.sort).dropFirst(max(0, query.offset))
        return Array(query.limit.map { rest.prefix(max(0, $0)) } ?? rest)
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
