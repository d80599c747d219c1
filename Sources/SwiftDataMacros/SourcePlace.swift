import SwiftSyntax
import SwiftSyntaxMacros

/// Where a re-emitted statement was written, so that errors and break points in it name the author's line.
struct SourcePlace {
    private let file: String
    private let line: Int

    /// `nil` when the compiler does not tell where the node is.
    init?(_ node: some SyntaxProtocol, in context: some MacroExpansionContext) {
        let location = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath)
        guard let location, let line = Int(location.line.trimmedDescription) else { return nil }
        file = location.file.trimmedDescription
        self.line = line
    }

    /// The directive after which the next line counts as this one.
    var directive: String { "#sourceLocation(file: \(file), line: \(line))" }

    /// Ends what `directive` began.
    static let end = "#sourceLocation()"
}

extension CodeBlockItemListSyntax {
    /// The statements as they were written, each starting a line of its own that is mapped to the original one.
    ///
    /// - Parameter transformed: the statements to emit, one for each of this list; this list itself when left out.
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
    /// The blanks in front of the first token of a line, which keep the columns of messages right.
    fileprivate var indentation: String {
        switch pieces.last {
        case .spaces(let count): String(repeating: " ", count: count)
        case .tabs(let count): String(repeating: "\t", count: count)
        default: ""
        }
    }
}
