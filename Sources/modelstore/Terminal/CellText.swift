import StoreInspection

/// Texts as they stand in a terminal: with nothing in them that it would obey, and with the room there is.
enum CellText {
    /// One line, without control characters: a file must not be able to steer the terminal of who looks at it.
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

    /// Those that turn the direction of writing round are among them.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200B, 0xFEFF: true
        default: false
        }
    }

    /// Lines of at most so many columns, as far as words let them; no word is broken.
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

    /// As wide as others, and a gap.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TextWidth.columns(of: text)) + 2)
    }

    /// At most so many columns, with a mark where something is left out.
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
