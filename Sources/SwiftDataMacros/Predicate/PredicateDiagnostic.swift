import SwiftDiagnostics
import SwiftSyntax

/// Diagnostics about code that a predicate or an expression on models does not support.
enum PredicateDiagnostic {
    case closureLiteral
    case captureList
    case emptyBody
    case severalStatements
    case statement
    case missingElse
    case mixedConditions
    case binding
    case pattern
    case operation(String)
    case function(String)
    case capturedCall(String)
    case calledClosure
    case functionReference
    case subscripting
    case tuple
    case dependentLiteral(ExprSyntax)
    case dependentCase
    case dependentEvaluate
    case syntax(ExprSyntax)
}

extension PredicateDiagnostic: DiagnosticMessage {
    var severity: DiagnosticSeverity { .error }

    var diagnosticID: MessageID { MessageID(domain: "SwiftDataMacros", id: id) }

    var message: String {
        switch self {
        case .closureLiteral: "a predicate takes closures that are written out here, not functions or stored closures"
        case .captureList: "a predicate captures the values it names; leave out the capture list"
        case .emptyBody: "a predicate needs an expression here"
        case .severalStatements:
            "a predicate is one expression; join conditions with '&&', and compute other values before the predicate"
        case .statement: "a predicate has expressions, 'return' and 'if'/'else' only; compute other values before it"
        case .missingElse: "'if' needs an 'else' in a predicate, because both ways must give a value"
        case .mixedConditions:
            "a predicate cannot mix 'if let' with other conditions; put the conditions into an 'if' or '&&' within it"
        case .binding: "a predicate binds optionals by 'if let name = value' only, without a type"
        case .pattern: "a predicate cannot match patterns; compare with '==' instead"
        case .operation(let symbol): Advice.ofOperator(symbol)
        case .function(let name): Advice.ofFunction(name)
        case .capturedCall(let callee):
            "a predicate cannot call '\(callee)'; assign its result to a constant before the predicate, and use that"
        case .calledClosure: "a predicate cannot call a closure; write its expression here"
        case .functionReference: "a predicate cannot refer to a function by its full name"
        case .subscripting: "a predicate has subscripts with an index, a range or a key, and 'default:' of a key"
        case .tuple: "a predicate has no tuples; compare the elements one by one"
        case .dependentLiteral(let literal): Advice.ofLiteral(literal)
        case .dependentCase: "an enum case in a predicate cannot have values that depend on the model"
        case .dependentEvaluate: "'evaluate' needs a predicate or an expression that does not depend on the model"
        case .syntax(let expression): Advice.ofSyntax(expression)
        }
    }

    /// The stable identifier of the diagnostic.
    var id: String {
        switch self {
        case .closureLiteral: "predicateClosureLiteral"
        case .captureList: "predicateCaptureList"
        case .emptyBody: "predicateEmptyBody"
        case .severalStatements: "predicateSeveralStatements"
        case .statement: "predicateStatement"
        case .missingElse: "predicateMissingElse"
        case .mixedConditions: "predicateMixedConditions"
        case .binding: "predicateBinding"
        case .pattern: "predicatePattern"
        case .operation: "predicateOperator"
        case .function: "predicateFunction"
        case .capturedCall: "predicateCapturedCall"
        case .calledClosure: "predicateCalledClosure"
        case .functionReference: "predicateFunctionReference"
        case .subscripting: "predicateSubscript"
        case .tuple: "predicateTuple"
        case .dependentLiteral: "predicateDependentLiteral"
        case .dependentCase: "predicateDependentCase"
        case .dependentEvaluate: "predicateDependentEvaluate"
        case .syntax: "predicateSyntax"
        }
    }
}

/// Suggestions of supported code.
private enum Advice {
    static func ofOperator(_ symbol: String) -> String {
        let advice: String? =
            switch symbol {
            case "===", "!==": "compare 'persistentModelID' with '\(symbol.dropLast())'"
            case "...", "..<": "give the range both ends, or compare with '<=' and '>='"
            case "&+", "&-", "&*": "use '\(symbol.dropFirst())'; a result that overflows is nil"
            case "=": "compare with '=='"
            case "~=": "use 'contains(_:)' of the range"
            default: nil
            }
        let refusal = "a predicate does not have the operator '\(symbol)'"
        return advice.map { "\(refusal); \($0)" } ?? refusal
    }

    static func ofFunction(_ name: String) -> String {
        let advice: String? =
            switch name {
            case "hasPrefix": "use 'starts(with:)'"
            case "hasSuffix": "use 'contains(_:)' with a regular expression that ends with '$'"
            case "lowercased", "uppercased": "use 'localizedStandardContains(_:)' or 'caseInsensitiveCompare(_:)'"
            case "map", "compactMap", "reduce", "first", "last", "sorted":
                "use 'contains(where:)', 'allSatisfy' or 'filter'"
            case "localizedCaseInsensitiveContains": "use 'localizedStandardContains(_:)'"
            case "localizedStandardCompare", "localizedCaseInsensitiveCompare", "compare": "use 'localizedCompare(_:)'"
            default: "store what it computes in a property of the model"
            }
        return "a predicate does not have the function '\(name)'" + (advice.map { "; \($0)" } ?? "")
    }

    static func ofLiteral(_ literal: ExprSyntax) -> String {
        switch literal.kind {
        case .stringLiteralExpr: "a text in a predicate cannot contain values of the model; compare them one by one"
        default: "a list in a predicate cannot contain values of the model; compare each with '==' and join with '||'"
        }
    }

    static func ofSyntax(_ expression: ExprSyntax) -> String {
        switch expression.kind {
        case .tryExpr, .awaitExpr: "a predicate neither throws nor waits; compute the value before it"
        case .switchExpr: "a predicate has no 'switch'; use 'if' and 'else if'"
        case .closureExpr:
            "a predicate has closures as arguments of 'contains', 'allSatisfy', 'filter' and 'flatMap' only"
        case .keyPathExpr: "a predicate reads properties by their names, not by key path"
        case .macroExpansionExpr: "a predicate cannot contain another macro; assign its value to a constant before"
        default: "this expression cannot be part of a predicate; compute its value before"
        }
    }
}
