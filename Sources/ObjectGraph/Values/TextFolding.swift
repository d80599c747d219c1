import Foundation

/// Normalizes texts so that those that differ only in ignored aspects become equal. Independent of the locale, and of
/// composed or decomposed spelling.
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
