/// Estimates the width of texts in a sans-serif font, and escapes texts for SVG.
enum DiagramText {
    /// In pixels.
    static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
        let sum = text.reduce(0.0) { $0 + share($1) }
        return sum * size * (isBold ? 1.15 : 1)
    }

    /// The width of a character relative to the font size.
    private static func share(_ character: Character) -> Double {
        switch character {
        case "i", "j", "l", "I", "|", "!", ".", ",", ":", ";", "'": 0.28
        case "f", "t", "r", "(", ")", "[", "]", "-", " ", "/": 0.36
        case "m", "M": 0.88
        case "w", "W", "@", "%", "→", "▸": 0.84
        case "A"..."Z": 0.69
        case "a"..."z", "0"..."9", "_", "?", "#", "=": 0.57
        default: character.isASCII ? 0.6 : 1.0
        }
    }

    static func cut(_ text: String, size: Double, isBold: Bool = false, to limit: Double) -> String {
        guard width(text, size: size, isBold: isBold) > limit else { return text }
        var cut = text
        while !cut.isEmpty, width(cut + "…", size: size, isBold: isBold) > limit { cut.removeLast() }
        return cut + "…"
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // XML cannot represent these characters.
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Formats a number with at most one decimal digit.
    static func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }
}
