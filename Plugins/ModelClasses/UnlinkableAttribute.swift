import Foundation

/// A use of `@NSManaged`, which compiles without Objective-C; then linking fails and names only mangled symbols.
struct UnlinkableAttribute {
    static let warning = "'@NSManaged' needs Objective-C and does not link here; write '@Managed'"

    /// From 1.
    let line: Int

    /// The first use in Swift source.
    /// - Returns: `nil` if there is none outside of line comments, and for source with conditions: there the attribute is in the
    ///   part for Apple's systems.
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
