import Foundation

/// Validates texts from forms.
enum EntryText {
    /// In characters.
    static let longestName = 80

    /// Returns the name without surrounding spaces and invisible characters.
    static func name(_ text: String) throws -> String {
        let name = visible(text)
        guard !name.isEmpty else { throw ZooProblem.emptyName }
        guard name.count <= longestName, name.utf8.count <= longestName * 8 else { throw ZooProblem.longName }
        return name
    }

    /// Returns the text to search for, cut to the length of a name.
    static func search(_ text: String) -> String {
        let search = String(visible(text).prefix(longestName))
        return search.utf8.count <= longestName * 8 ? search : ""
    }

    private static func visible(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
