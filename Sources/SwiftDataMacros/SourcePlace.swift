import SwiftSyntax
import SwiftSyntaxMacros

/// The original position of a re-emitted statement, so that errors and break points refer to the author's line.
struct SourcePlace {
    private let file: String
    private let line: Int

    /// `nil` if the compiler does not provide the position.
    init?(_ node: some SyntaxProtocol, in context: some MacroExpansionContext) {
        let location = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath)
        guard let location, let line = Int(location.line.trimmedDescription) else { return nil }
        file = location.file.trimmedDescription
        self.line = line
    }

    /// The directive that assigns the original line number to the next line.
    var directive: String { "#sourceLocation(file: \(file), line: \(line))" }

    /// Ends the effect of `directive`.
    static let end = "#sourceLocation()"
}

extension CodeBlockItemListSyntax {
    /// Returns the statements as written, each on a line of its own that is mapped to the original one.
    ///
    /// - Parameter transformed: the statements to emit, parallel to this list; by default this list itself.
    func mapped(to context: some MacroExpansionContext, emitting transformed: [CodeBlockItemSyntax]) -> [String] {
        let lines = zip(self, transformed).map { original, item in
            let text = original.leadingTrivia.indentation + item.with(\.leadingTrivia, []).description
            return (SourcePlace(original, in: context)?.directive, text)
        }
        let end = lines.contains { $0.0 != nil } ? [SourcePlace.end] : []
        return lines.flatMap { [$0.0, $0.1].compactMap(\.self) } + end
    }
}

extension Trivia {
    /// The leading spaces of a line, which preserve the columns in messages.
    fileprivate var indentation: String {
        switch pieces.last {
        case .spaces(let count): String(repeating: " ", count: count)
        case .tabs(let count): String(repeating: "\t", count: count)
        default: ""
        }
    }
}
