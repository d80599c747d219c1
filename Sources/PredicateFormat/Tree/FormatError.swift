import ObjectGraph

/// The reason why a text is not a predicate, and the position.
package struct FormatError: Error, Hashable, Sendable {
    package let reason: Reason
    /// The number of characters before the position where parsing stopped.
    package let position: Int

    package init(_ reason: Reason, at position: Int) {
        self.reason = reason
        self.position = position
    }

    package enum Reason: Hashable, Sendable {
        case unexpected(found: String, expected: String)
        case unterminatedText
        case malformedNumber
        case unknownCharacter
        case unknownFunction(String)
        case wrongArgumentCount(function: String, expected: Int, found: Int)
        /// The text has more placeholders than there are arguments; numbered from 1.
        case missingArgument(Int)
        /// An argument has the wrong type for its placeholder; numbered from 1.
        case wrongArgument(Int, expected: String)
        case unknownPlaceholder
        case unknownOptions
        case unsupported(String)
        /// An expression was found where a condition is expected.
        case notAPredicate
        /// A condition was found where an expression is expected.
        case notAnExpression
        case tooDeep(limit: Int)
    }
}

extension FormatError: CustomStringConvertible {
    package var description: String { "Character \(position + 1): \(reason)." }
}

extension FormatError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unexpected(let found, let expected): "found \(found) where \(expected) is expected"
        case .unterminatedText: "this text has no closing quotation mark"
        case .malformedNumber: "this number cannot be read"
        case .unknownCharacter: "this character means nothing here; put texts in quotation marks"
        case .unknownFunction(let name): "there is no function '\(name)'"
        case .wrongArgumentCount(let function, let expected, let found):
            "'\(function)' takes \(expected) arguments, not \(found)"
        case .missingArgument(let number): "argument \(number) is missing"
        case .wrongArgument(let number, let expected): "argument \(number) must be \(expected)"
        case .unknownPlaceholder: "this placeholder is not known; use %@, %K, or one for numbers such as %d or %f"
        case .unknownOptions: "options after an operator are letters of 'cdnl' in brackets"
        case .unsupported(let construct): "\(construct) is not supported"
        case .notAPredicate: "a condition is wanted here; compare this with something"
        case .notAnExpression: "a value is wanted here, not a condition"
        case .tooDeep(let limit): "this is nested more than \(limit) levels deep; make it shallower"
        }
    }
}
