import Foundation

/// A use of `@NSManaged`, which compiles without Objective-C, but fails to link with errors that name only mangled
/// symbols.
struct UnlinkableAttribute {
    static let warning = "'@NSManaged' needs Objective-C and does not link here; write '@Managed'"

    /// Counted from 1.
    let line: Int

    /// Finds the first use in Swift source.
    /// - Returns: `nil` if there is no use outside line comments, and for source with conditional compilation, where
    ///   the attribute is used for Apple platforms only.
    init?(firstIn source: String) {
        guard !source.contains("canImport(") else { return nil }
        let lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard let index = lines.firstIndex(where: Self.isUsed) else { return nil }
        line = index + 1
    }

    private static func isUsed(in line: Substring) -> Bool {
        guard let range = line.range(of: "@NSManaged") else { return false }
        let isWholeName = line[range.upperBound...].first.map { !($0.isLetter || $0.isNumber || $0 == "_") } ?? true
        return isWholeName && !line[..<range.lowerBound].contains("//")
    }
}
