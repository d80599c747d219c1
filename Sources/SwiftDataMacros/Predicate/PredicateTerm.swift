/// What a part of a predicate's closure becomes.
enum PredicateTerm {
    /// The source of a value that does not depend on the inputs. It becomes a node when it is used as one.
    case captured(String)
    /// The same, reached through the name of a type or by a leading dot: members of it belong to the value, because
    /// Swift has no key paths to enum cases.
    case capturedMember(String)
    case type(String)
    case nilLiteral
    /// An input, or the element or the unwrapped value that a closure has been given.
    case variable(String)
    /// A node whose type follows from its parts.
    case node(String)
    /// A node of an optional chain.
    case chain(String)
    /// A node that is true or false.
    case test(String)

    /// What stands for a part that has been diagnosed.
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

    /// The same where a captured value may be a regular expression, which is wrapped first.
    var overloadedArgument: String {
        switch self {
        case .captured(let text), .capturedMember(let text): Build.call("Arg", text)
        case .type, .nilLiteral, .variable, .node, .chain, .test: argument
        }
    }
}

/// Calls of the functions that make nodes, as source.
enum Build {
    static func call(_ name: String, _ arguments: String...) -> String {
        "PredicateExpressions.build_\(name)(\(arguments.joined(separator: ", ")))"
    }

    /// As `build_Arg` makes it, without the work of choosing among its overloads.
    static func value(_ text: String) -> String { "PredicateExpressions.Value(\(text))" }

    /// The subject of `evaluate`.
    static func captured(_ text: String) -> String { "PredicateExpressions._captured(\(text))" }

    /// A node that depends on a type written out, for which there is no function.
    static func cast(_ node: String, to type: String, _ argument: String) -> String {
        "PredicateExpressions.\(node)<_, \(type)>(\(argument))"
    }
}
