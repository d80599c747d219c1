import ObjectGraph

/// An object that answers `FUNCTION(object, "selector", …)` for methods of its own.
package protocol FormatCallable {
    /// - Returns: `nil` for nil, and for a method that there is not.
    func call(_ selector: String, _ arguments: [Any?]) -> Any?
}

/// A request that `FETCH(request, context, …)` may name.
package protocol FormatFetchable {
    /// - Returns: `nil` when it cannot be fetched from there.
    func fetched(from context: Any, countOnly: Bool) -> Any?
}

/// Methods that `FUNCTION(target, "selector", …)` may name, by what they mean in the rest of the language.
package enum FormatCall {
    /// Whether the language itself knows what is meant.
    package static func isKnown(_ selector: String, _ arguments: [FormatExpression]) -> Bool {
        meaning(.constant(.null), selector, arguments) != nil
    }

    /// `nil` for a method that is not known.
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
