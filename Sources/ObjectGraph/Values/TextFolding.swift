import Foundation

/// Brings texts that differ only in what a comparison ignores into one form. Independent of the locale, and the same
/// for a composed and a decomposed spelling.
package enum TextFolding: Sendable, Hashable {
    case `case`
    case diacritics
    case caseAndDiacritics

    package func apply(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return self == .diacritics ? text : Self.lowercasedASCII(text)
        }
        return text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
    }

    private var options: String.CompareOptions {
        switch self {
        case .case: .caseInsensitive
        case .diacritics: .diacriticInsensitive
        case .caseAndDiacritics: [.caseInsensitive, .diacriticInsensitive]
        }
    }

    private static func lowercasedASCII(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x41 && $0 <= 0x5A }) else { return text }
        return String(decoding: text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
