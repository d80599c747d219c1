import SwiftData

@Model final class Board {
    var number: Int
    @Relationship(deleteRule: .nullify, inverse: \Card.board) var cards: [Card] = []

    init(number: Int) { self.number = number }
}

@Model final class Card {
    var number: Int
    var first: Int = 0
    var second: Int = 0
    var title: String?
    var board: Board?

    init(number: Int) { self.number = number }
}
