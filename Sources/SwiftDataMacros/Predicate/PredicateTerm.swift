/// The translation of a part of a predicate's closure.
enum PredicateTerm {
    /// The source of a value that does not depend on the inputs. It becomes a node where one is needed.
    case captured(String)
    /// Like `captured`, but reached through a type name or a leading dot. Its members belong to the value, because
    /// Swift has no key paths to enum cases.
    case capturedMember(String)
    case type(String)
    case nilLiteral
    /// An input, or the element or unwrapped value that a closure receives.
    case variable(String)
    /// A node whose type is determined by its parts.
    case node(String)
    /// A node of an optional chain.
    case chain(String)
    /// A Boolean node.
    case test(String)

    /// Replaces a part that has been diagnosed.
    static let placeholder = PredicateTerm.nilLiteral

    /// The source of the node.
    var argument: String {
        switch self {
        case .captured(let text), .capturedMember(let text): Build.value(text)
        case .type(let text): Build.value("\(text).self")
        case .nilLiteral: Build.call("NilLiteral")
        case .variable(let text), .node(let text), .chain(let text), .test(let text): text
        }
    }

    /// Like `argument`, but wraps a captured value first, as it may be a regular expression.
    var overloadedArgument: String {
        switch self {
        case .captured(let text), .capturedMember(let text): Build.call("Arg", text)
        case .type, .nilLiteral, .variable, .node, .chain, .test: argument
        }
    }
}

/// The source of calls that build nodes.
enum Build {
    static func call(_ name: String, _ arguments: String...) -> String {
        "PredicateExpressions.build_\(name)(\(arguments.joined(separator: ", ")))"
    }

    /// Equals `build_Arg`, but spares the type checker the choice among its overloads.
    static func value(_ text: String) -> String { "PredicateExpressions.Value(\(text))" }

    /// The subject of `evaluate`.
    static func captured(_ text: String) -> String { "PredicateExpressions._captured(\(text))" }

    /// A node with an explicit type, for which there is no build function.
    static func cast(_ node: String, to type: String, _ argument: String) -> String {
        "PredicateExpressions.\(node)<_, \(type)>(\(argument))"
    }
}
