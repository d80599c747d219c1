import SwiftSyntax

/// A call of a function that predicates support.
struct PredicateCall {
    let call: FunctionCallExprSyntax
    let name: String

    enum Function {
        /// Tests for an element of a sequence, a part of a text, or a value in a range.
        case contains(ExprSyntax)
        /// Applies a closure to each element, or to an optional's value. The closure may be missing.
        case closure(String, ExprSyntax?)
        case values(String, isTest: Bool)
        case evaluate
    }

    init(_ call: FunctionCallExprSyntax, name: String) {
        self.call = call
        self.name = name
    }

    /// `nil` for a function that predicates do not support.
    var function: Function? {
        guard call.additionalTrailingClosures.isEmpty else { return nil }
        switch (name, labels) {
        case ("contains", [nil]):
            guard let argument = call.arguments.first?.expression, !argument.is(ClosureExprSyntax.self) else {
                return nil
            }
            return .contains(argument)
        case ("contains", ["where"]), ("contains", []), ("allSatisfy", [nil]), ("allSatisfy", []), ("filter", [nil]),
            ("filter", []), ("flatMap", [nil]), ("flatMap", []):
            return .closure(name, call.arguments.first?.expression ?? call.trailingClosure.map(ExprSyntax.init))
        case ("starts", ["with"]), ("localizedStandardContains", [nil]):
            return .values(name, isTest: true)
        case ("min", []), ("max", []), ("localizedCompare", [nil]), ("caseInsensitiveCompare", [nil]):
            return call.trailingClosure == nil ? .values(name, isTest: false) : nil
        case ("evaluate", let labels) where labels.allSatisfy { $0 == nil } && !labels.isEmpty:
            return .evaluate
        default:
            return nil
        }
    }

    private var labels: [String?] { call.arguments.map { $0.label?.text } }
}
