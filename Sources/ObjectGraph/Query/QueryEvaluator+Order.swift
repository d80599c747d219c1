/// Sorting. Nil sorts before every value when ascending, after when descending.
extension QueryEvaluator {
    /// Returns an object's values for sorting, one for each key.
    package func sortValues(of object: Object, by keys: [SortKey]) throws -> [Value] {
        try keys.map { try value($0.expression, root: object) }
    }

    package func areInIncreasingOrder(_ a: Object, _ b: Object, by keys: [SortKey]) throws -> Bool {
        for key in keys {
            let order = key.order(try value(key.expression, root: a), try value(key.expression, root: b))
            if order != 0 { return order < 0 }
        }
        return false
    }

    /// Returns the objects in order; the sort is stable. Each key is evaluated once for each object.
    package func sorted(_ objects: [Object], by keys: [SortKey]) throws -> [Object] {
        if keys.isEmpty || objects.count < 2 { return objects }
        let decorated = try objects.map { (object: $0, values: try sortValues(of: $0, by: keys)) }
        return decorated.sorted { keys.order($0.values, $1.values) < 0 }.map(\.object)
    }
}

extension SortKey {
    /// Returns -1, 0 or 1 for two values of the key's expression.
    package func order(_ a: Value, _ b: Value) -> Int {
        let order = ValueOrder.compare(a, b, texts: textOrder)
        return isAscending ? order : -order
    }
}

extension [SortKey] {
    /// Returns -1, 0 or 1 for the values of two objects, one for each key.
    package func order(_ a: [Value], _ b: [Value]) -> Int {
        for (key, (left, right)) in zip(self, zip(a, b)) {
            let order = key.order(left, right)
            if order != 0 { return order }
        }
        return 0
    }
}
