import SwiftSyntaxMacroExpansion

@testable import SwiftDataMacros

extension Macros {
    static let predicate = [
        "Predicate": MacroSpec(type: ModelPredicateMacro.self),
        "Expression": MacroSpec(type: ModelExpressionMacro.self),
    ]
}

/// The expansion of a predicate's closure, without the prefixes of all nodes: each statement is a line.
func nodes(of body: String) -> [String] {
    let tree = expansion(of: "let tree =\n#Predicate<Book> { \(body) }", Macros.predicate)
        .replacing("PredicateExpressions.build_", with: "")
        .replacing("PredicateExpressions.", with: "")
        .replacing("_$", with: "")
    let lines = tree.split(separator: "\n").dropFirst().map(String.init)
    let opening = "Foundation.Predicate<Book>("
    guard let first = lines.first, first.hasPrefix(opening) else { return lines }
    if lines.count == 1 { return [String(first.dropFirst(opening.count).dropLast())] }
    return Array(lines.dropFirst().dropLast())
}

/// The diagnostics of a use, as `line:column error message`.
func refusals(of body: String) -> [String] {
    problems(in: "let tree =\n#Predicate<Book> { \(body) }", Macros.predicate)
}
