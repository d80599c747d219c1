/// A line of text whose parts have a tone. The output chooses colours for the tones, or none.
package struct TonedLine: Sendable, Hashable, ExpressibleByStringLiteral {
    package enum Tone: String, Sendable, Hashable {
        case plain, strong, dim, good, warning, bad
    }

    package struct Piece: Sendable, Hashable {
        package let text: String
        package let tone: Tone
    }

    package private(set) var pieces: [Piece]

    package init(_ text: String = "", _ tone: Tone = .plain) {
        pieces = text.isEmpty ? [] : [Piece(text: text, tone: tone)]
    }

    package init(stringLiteral value: String) { self.init(value) }

    package func adding(_ text: String, _ tone: Tone = .plain) -> TonedLine {
        var line = self
        if !text.isEmpty { line.pieces.append(Piece(text: text, tone: tone)) }
        return line
    }

    package var text: String { pieces.map(\.text).joined() }
}

extension TonedLine {
    package func adding(_ other: TonedLine) -> TonedLine {
        other.pieces.reduce(self) { $0.adding($1.text, $1.tone) }
    }
}
