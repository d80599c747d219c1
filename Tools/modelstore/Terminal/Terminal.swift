import Foundation
import StoreInspection

/// Properties of standard output and standard error.
enum Terminal {
    static let outputIsTerminal = isatty(1) == 1
    static let errorIsTerminal = isatty(2) == 1
    static let inputIsTerminal = isatty(0) == 1

    /// Colours are used only on a terminal, and unless the user disables them (no-color.org).
    static let hasColours = outputIsTerminal && wantsColours
    static let errorHasColours = errorIsTerminal && wantsColours

    private static let wantsColours =
        obeys && ProcessInfo.processInfo.environment["NO_COLOR"].map(\.isEmpty) ?? true

    /// Whether the terminal supports control sequences, such as those that rewrite a line.
    static let obeys = ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// The terminal's width in columns; `nil` if output is no terminal.
    static var width: Int? {
        guard outputIsTerminal else { return nil }
        var size = winsize()
        if ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init) ?? 80
    }

    static func paint(_ text: String, _ tone: TonedLine.Tone, colours: Bool = hasColours) -> String {
        guard colours, let code = code(tone) else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    static func paint(_ line: TonedLine, colours: Bool = hasColours) -> String {
        line.pieces.map { paint(CellText.visible($0.text), $0.tone, colours: colours) }.joined()
    }

    private static func code(_ tone: TonedLine.Tone) -> String? {
        switch tone {
        case .plain: nil
        case .strong: "1"
        case .dim: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        }
    }
}
