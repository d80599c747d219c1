import StoreInspection

/// Prepares texts for the terminal: removes control characters, and fits texts to a width.
enum CellText {
    /// Makes one line without control characters, so that a file's content cannot control the reader's terminal.
    static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\u{2028}", "\u{2029}": visible.append("⏎")
            case "\r": break
            case "\t": visible.append(" ")
            case _ where isControl(scalar): visible.append("·")
            default: visible.append(scalar)
            }
        }
        return String(visible)
    }

    /// Includes characters that change the direction of text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200B, 0xFEFF: true
        default: false
        }
    }

    /// Wraps the text into lines of at most this many columns. Words are not split, so that a long word may exceed the
    /// width.
    static func folded(_ text: String, to limit: Int) -> [String] {
        var lines: [String] = []
        var used = 0
        for word in text.split(separator: " ") {
            let next = TextWidth.columns(of: String(word))
            if let last = lines.indices.last, used + 1 + next <= limit {
                lines[last] += " " + word
                used += 1 + next
            } else {
                lines.append(String(word))
                used = next
            }
        }
        return lines
    }

    /// Pads the text to a width, plus a gap.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TextWidth.columns(of: text)) + 2)
    }

    /// Cuts the text to at most this many columns, with a mark if anything is omitted.
    static func cut(_ text: String, to limit: Int) -> String {
        guard TextWidth.columns(of: text) > limit else { return text }
        var cut = ""
        var used = 0
        for character in text {
            let next = TextWidth.columns(of: character)
            if used + next > limit - 1 { break }
            cut.append(character)
            used += next
        }
        return cut + "…"
    }
}
