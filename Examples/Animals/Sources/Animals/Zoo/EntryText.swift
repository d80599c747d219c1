import Foundation

/// The one reading of a name somebody typed.
enum EntryText {
    /// In characters.
    static let longestName = 80

    /// The name without spaces around it and without characters that cannot be seen.
    static func name(_ text: String) throws -> String {
        let visible = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { throw ZooProblem.emptyName }
        guard name.count <= longestName, name.utf8.count <= longestName * 8 else { throw ZooProblem.longName }
        return name
    }
}
