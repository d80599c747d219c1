/// Methods that `FUNCTION(target, "selector", …)` may name, by what they mean in the rest of the language.
enum FormatCall {
    /// `nil` for a method that is not known.
    static func meaning(
        _ target: FormatExpression, _ selector: String, _ arguments: [FormatExpression]
    ) -> FormatExpression? {
        switch (selector, arguments.count) {
        case ("dateByAddingTimeInterval:", 1), ("addingTimeInterval:", 1): return .function(.add, [target, arguments[0]])
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
