import ObjectGraph

/// An object that implements methods of its own for `FUNCTION(object, "selector", …)`.
package protocol FormatCallable {
    /// - Returns: `nil` for a nil result, and for an unknown method.
    func call(_ selector: String, _ arguments: [Any?]) -> Any?
}

/// A fetch request for `FETCH(request, context, …)`.
package protocol FormatFetchable {
    /// - Returns: `nil` if it cannot be fetched from the context.
    func fetched(from context: Any, countOnly: Bool) -> Any?
}

/// Known methods of `FUNCTION(target, "selector", …)`, as equivalent expressions of the language.
package enum FormatCall {
    /// Whether the method is known.
    package static func isKnown(_ selector: String, _ arguments: [FormatExpression]) -> Bool {
        meaning(.constant(.null), selector, arguments) != nil
    }

    /// Returns the equivalent expression; `nil` for an unknown method.
    static func meaning(
        _ target: FormatExpression, _ selector: String, _ arguments: [FormatExpression]
    ) -> FormatExpression? {
        switch (selector, arguments.count) {
        case ("dateByAddingTimeInterval:", 1), ("addingTimeInterval:", 1):
            return .function(.add, [target, arguments[0]])
        case ("timeIntervalSinceDate:", 1): return .function(.subtract, [target, arguments[0]])
        case ("uppercaseString", 0): return .function(.uppercase, [target])
        case ("lowercaseString", 0): return .function(.lowercase, [target])
        case ("length", 0): return .function(.length, [target])
        case ("valueForKey:", 1), ("valueForKeyPath:", 1):
            guard case .constant(.text(let path)) = arguments[0] else { return nil }
            return .keyPathOf(target, path)
        default: return nil
        }
    }
}
