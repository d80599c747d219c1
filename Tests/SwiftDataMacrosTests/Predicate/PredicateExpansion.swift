import SwiftSyntaxMacroExpansion

@testable import SwiftDataMacros

extension Macros {
    static let predicate = [
        "Predicate": MacroSpec(type: ModelPredicateMacro.self),
        "Expression": MacroSpec(type: ModelExpressionMacro.self),
    ]
}

/// What a predicate's closure becomes, without the names that every node has in front: each statement is a line.
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

/// What the use is told, as `line:column error message`.
func refusals(of body: String) -> [String] {
    problems(in: "let tree =\n#Predicate<Book> { \(body) }", Macros.predicate)
}
