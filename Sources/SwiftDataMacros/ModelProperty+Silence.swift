import SwiftSyntax

extension ModelProperty {
    /// Codes of warnings that a line comment above the property silences, at compile time and when a container is
    /// created: `// openswiftdata:silence cascade-both-ways, to-many-without-inverse`. Other words are ignored, so that
    /// a reason may follow.
    var silencedCodes: [String] {
        declaration.leadingTrivia.flatMap { piece -> [String] in
            guard case .lineComment(let text) = piece else { return [] }
            let words = text.split { " ,\t/".contains($0) }
            guard words.first == "openswiftdata:silence" else { return [] }
            return words.dropFirst().map { String($0) }.filter(Self.isCode)
        }
    }

    /// Whether the word has the form of a code: lower-case words joined by hyphens.
    private static func isCode(_ word: String) -> Bool {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count > 1 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { ("a"..."z").contains($0) } }
    }
}
