import ObjectGraph

/// SQL text with its bindings, as a value. Placeholders are chosen when it is rendered, so that pieces can be combined in
/// any order.
package struct SQLText: Sendable, Hashable {
    package enum Piece: Sendable, Hashable {
        case text(String)
        case parameter(Cell)
        case list([Cell])
        /// A list of keys.
        case keys(KeySet)
        /// A set of keys that is tested for each row.
        case filter(KeySet)
    }

    package private(set) var pieces: [Piece] = []

    package init() {}

    package init(_ text: String) { pieces = text.isEmpty ? [] : [.text(text)] }

    package static func parameter(_ value: Cell) -> SQLText {
        var text = SQLText()
        text.pieces = [.parameter(value)]
        return text
    }

    package static func integer(_ number: Int64) -> SQLText { .parameter(.integer(number)) }
    package static func text(_ text: String) -> SQLText { .parameter(.text(text)) }
    package static func cell(_ cell: Cell) -> SQLText { .parameter(cell) }

    /// A parameter for a list of values.
    package static func list(_ values: [Cell]) -> SQLText {
        var text = SQLText()
        text.pieces = [.list(values)]
        return text
    }

    package static func keys(_ keys: KeySet) -> SQLText {
        var text = SQLText()
        text.pieces = [.keys(keys)]
        return text
    }

    package static func filter(_ keys: KeySet) -> SQLText {
        var text = SQLText()
        text.pieces = [.filter(keys)]
        return text
    }

    package var isEmpty: Bool { pieces.isEmpty }

    package static func += (left: inout SQLText, right: SQLText) {
        for piece in right.pieces { left.append(piece) }
    }

    package static func + (left: SQLText, right: SQLText) -> SQLText {
        var sum = left
        sum += right
        return sum
    }

    private mutating func append(_ piece: Piece) {
        if case .text(let more) = piece, case .text(var last)? = pieces.last {
            // Without a second reference to it, the text grows in place.
            pieces.removeLast()
            last += more
            pieces.append(.text(last))
        } else {
            pieces.append(piece)
        }
    }

    /// The text with placeholders.
    package func rendered(for dialect: any Dialect) -> String { rendered(placeholder: dialect.placeholder) }

    private func rendered(placeholder: (Int) -> String) -> String {
        var number = 0
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let part): text += part
            case .parameter, .list, .keys, .filter:
                number += 1
                text += placeholder(number)
            }
        }
    }

    /// The values of the placeholders, in order.
    package var parameters: [Piece] {
        pieces.filter { if case .text = $0 { false } else { true } }
    }
}

extension SQLText: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }

    /// Strings are SQL, and `SQLText` is inserted; values must be given as `parameter`.
    package struct StringInterpolation: StringInterpolationProtocol {
        private var pieces: [Piece] = []
        /// The text after the last parameter.
        private var end = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            end.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { end += literal }
        package mutating func appendInterpolation(_ sql: String) { end += sql }
        package mutating func appendInterpolation(_ number: Int) { end += String(number) }
        package mutating func appendInterpolation(_ part: SQLText) {
            for piece in part.pieces {
                if case .text(let text) = piece {
                    end += text
                } else {
                    finishText()
                    pieces.append(piece)
                }
            }
        }

        private mutating func finishText() {
            if end.isEmpty { return }
            pieces.append(.text(end))
            end = ""
        }

        fileprivate var finished: [Piece] { end.isEmpty ? pieces : pieces + [.text(end)] }
    }

    package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.finished }
}

extension Sequence where Element == SQLText {
    package func joined(separator: String) -> SQLText {
        var result = SQLText()
        for (index, part) in enumerated() {
            if index > 0 { result += SQLText(separator) }
            result += part
        }
        return result
    }
}

extension SQLText: CustomStringConvertible {
    package var description: String { rendered { _ in "?" } }
}
