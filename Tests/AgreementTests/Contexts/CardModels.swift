import SwiftData

enum CardState: Codable, CaseIterable { case open, active, done }

struct Price: Codable, Equatable {
    var amount = 0
    var currency = "EUR"
}

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
    var state: CardState = CardState.open
    var price: Price = Price()
    var board: Board?

    init(number: Int) { self.number = number }
}
