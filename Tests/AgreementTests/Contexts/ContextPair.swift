import Foundation
import ObjectGraph
import TestSupport

@testable import SwiftData

/// Two contexts over the same rows, and the expected rows: edits win property by property over concurrent saves, and deleted rows
/// stay deleted.
final class ContextPair {
    struct Row: Equatable {
        var first = 0
        var second = 0
        var title: String?
        var board: Int?
        var state = CardState.open
        var price = Price()

        /// The stored row after a save of this edit of `base`.
        func merged(into stored: Row, base: Row) -> Row {
            Row(
                first: first == base.first ? stored.first : first,
                second: second == base.second ? stored.second : second,
                title: title == base.title ? stored.title : title,
                board: board == base.board ? stored.board : board,
                state: state == base.state ? stored.state : state,
                price: price == base.price ? stored.price : price)
        }

        func without(_ boards: Set<Int>) -> Row {
            var row = self
            if let board, boards.contains(board) { row.board = nil }
            return row
        }
    }

    private struct Side {
        let context: ModelContext
        var edits: [Int: (base: Row, current: Row)] = [:]
        var inserted: [Int: Row] = [:]
        var deleted: Set<Int> = []
        var deletedBoards: Set<Int> = []
        /// The boards of these that are deleted by predicate.
        var plannedBoards: Set<Int> = []
        /// The results of the last fetch, retained to be read without fetching.
        var held: [Card] = []
    }

    private static let boardCount = 6

    let container: ModelContainer
    private var sides: [Side]
    private var stored: [Int: Row] = [:]
    private var goneBoards: Set<Int> = []
    private var versions: [ObjectID: RowVersion] = [:]
    private var lastNumber = 0
    private(set) var log: [String] = []
    private(set) var saves = 0

    init() throws {
        container = try ModelContainer(
            for: Board.self, Card.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        sides = (0..<2).map { [container] _ in Side(context: ModelContext(container)) }
        let context = ModelContext(container)
        for number in 0..<Self.boardCount { context.insert(Board(number: number)) }
        for _ in 0..<5 {
            lastNumber += 1
            context.insert(Card(number: lastNumber))
            stored[lastNumber] = Row()
        }
        try context.save()
    }

    // MARK: Steps

    func step(_ random: inout SeededGenerator) throws {
        let side = random.roll(2)
        switch random.roll(20) {
        case 0: insert(side)
        case 1: try delete(side, &random)
        case 2: rollback(side)
        case 3: try deleteBoard(side, &random)
        case 4: refault(side, &random)
        case 5: read(side, &random)
        case 6..<10: try save(side)
        default: try edit(side, &random)
        }
        // Without a check, the context has more changes to merge later.
        if random.chance(60) { try check(side) }
        try sides[side].context.graph.checkInvariants()
    }

    func finish() throws {
        for side in sides.indices { try save(side) }
        for side in sides.indices { try check(side) }
        try checkStored()
    }

    /// The expected results of a fetch on one side: unedited stored rows, its edits, its insertions.
    private func visible(_ side: Int) -> [Int: Row] {
        var rows = stored.filter { !sides[side].deleted.contains($0.key) }
        for (number, edit) in sides[side].edits {
            if let row = rows[number] { rows[number] = edit.current.merged(into: row, base: edit.base) }
        }
        let gone = goneBoards.union(sides[side].deletedBoards)
        return rows.merging(sides[side].inserted) { $1 }.mapValues { $0.without(gone) }
    }

    /// A fetch applies edits to the latest saved values.
    private func rebase(_ side: Int) {
        let cut = cut(side)
        for (number, row) in visible(side) {
            guard let base = storedRow(side, number) else { continue }
            // A link that another context made to a board deleted here is nullified, which is an edit.
            guard sides[side].edits[number] != nil || base.board.map(cut.contains) == true else { continue }
            sides[side].edits[number] = (base: base, current: row)
        }
    }

    /// Boards that the side deletes as objects. Links that another context made to one of them meanwhile are kept until the save.
    private func cut(_ side: Int) -> Set<Int> { sides[side].deletedBoards.subtracting(sides[side].plannedBoards) }

    /// As the side knows it: a reference to a board deleted by predicate is nil.
    private func storedRow(_ side: Int, _ number: Int) -> Row? { stored[number]?.without(sides[side].plannedBoards) }

    private func cards(_ side: Int) throws -> [Int: Card] {
        let cards = try sides[side].context.fetch(FetchDescriptor<Card>())
        sides[side].held = cards
        rebase(side)
        return Dictionary(cards.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func boards(_ side: Int) throws -> [Board] {
        try sides[side].context.fetch(FetchDescriptor<Board>(sortBy: [SortDescriptor(\.number)]))
    }

    private func edit(_ side: Int, _ random: inout SeededGenerator) throws {
        let cards = try cards(side)
        guard let number = random.pick(cards.keys.sorted()), let card = cards[number], let old = visible(side)[number]
        else { return }
        let boards = try boards(side)
        var row = old
        switch random.roll(8) {
        case 0, 1: row.first = random.roll(3)
        case 2: row.second = random.roll(3)
        case 3: row.title = random.pick([nil, "a", "b"]) ?? nil
        case 4: row.state = random.pick(CardState.allCases) ?? .open
        case 5: row.price.amount = random.roll(3)
        case 6: row.price.currency = random.pick(["EUR", "USD"]) ?? "EUR"
        default: row.board = random.chance(25) ? nil : random.pick(boards)?.number
        }
        log.append("\(side): card \(number) \(old) -> \(row)")
        if card.first != row.first { card.first = row.first }
        if card.second != row.second { card.second = row.second }
        if card.title != row.title { card.title = row.title }
        if card.state != row.state { card.state = row.state }
        if card.price != row.price { card.price = row.price }
        if card.board?.number != row.board { card.board = boards.first { $0.number == row.board } }
        if sides[side].inserted[number] != nil {
            sides[side].inserted[number] = row
        } else if row != old, let base = storedRow(side, number) {
            sides[side].edits[number] = (base: base, current: row)
        }
    }

    private func insert(_ side: Int) {
        lastNumber += 1
        log.append("\(side): insert \(lastNumber)")
        sides[side].context.insert(Card(number: lastNumber))
        sides[side].inserted[lastNumber] = Row()
    }

    private func delete(_ side: Int, _ random: inout SeededGenerator) throws {
        let cards = try cards(side)
        guard let number = random.pick(cards.keys.sorted()), let card = cards[number] else { return }
        if random.chance(50) {
            log.append("\(side): delete \(number)")
            sides[side].context.delete(card)
        } else {
            log.append("\(side): delete where the number is \(number)")
            try sides[side].context.delete(model: Card.self, where: #Predicate { $0.number == number })
        }
        if sides[side].inserted.removeValue(forKey: number) == nil { sides[side].deleted.insert(number) }
    }

    /// Cards on it stay. If it is deleted as an object, they are edited; if by predicate, stored cards are nullified when the
    /// delete is executed.
    private func deleteBoard(_ side: Int, _ random: inout SeededGenerator) throws {
        _ = try cards(side)
        guard let board = random.pick(try boards(side)) else { return }
        let number = board.number
        sides[side].deletedBoards.insert(number)
        guard sides[side].context.hasChanges else {
            log.append("\(side): delete where the board's number is \(number)")
            sides[side].plannedBoards.insert(number)
            return try sides[side].context.delete(model: Board.self, where: #Predicate { $0.number == number })
        }
        log.append("\(side): delete board \(number)")
        let known = sides[side].edits
        sides[side].context.delete(board)
        for card in stored.keys where !sides[side].deleted.contains(card) {
            guard let row = storedRow(side, card) else { continue }
            let current = known[card].map { $0.current.merged(into: row, base: $0.base) } ?? row
            guard current.board == number else { continue }
            sides[side].edits[card] = (base: row, current: current.without([number]))
        }
    }

    /// Makes objects faults, whatever was saved since.
    private func refault(_ side: Int, _ random: inout SeededGenerator) {
        log.append("\(side): everything unedited becomes a fault")
        sides[side].context.graph.refaultUnedited()
        read(side, &random)
    }

    /// Reads some of the retained objects, without merging.
    private func read(_ side: Int, _ random: inout SeededGenerator) {
        let cards = random.some(Array(sides[side].held.indices), atMost: 3)
        log.append("\(side): read \(cards.map { sides[side].held[$0].number })")
    }

    private func rollback(_ side: Int) {
        log.append("\(side): rollback")
        sides[side].context.rollback()
        forgetEdits(side)
    }

    private func forgetEdits(_ side: Int) {
        sides[side].edits = [:]
        sides[side].inserted = [:]
        sides[side].deleted = []
        sides[side].deletedBoards = []
        sides[side].plannedBoards = []
    }

    private func save(_ side: Int) throws {
        log.append("\(side): save")
        try sides[side].context.save()
        saves += 1
        for (number, edit) in sides[side].edits {
            if let row = stored[number] { stored[number] = edit.current.merged(into: row, base: edit.base) }
        }
        stored.merge(sides[side].inserted) { $1 }
        for number in sides[side].deleted { stored[number] = nil }
        goneBoards.formUnion(sides[side].deletedBoards)
        stored = stored.mapValues { $0.without(goneBoards) }
        forgetEdits(side)
        try checkStored()
    }

    // MARK: Checks

    private func rows(_ context: ModelContext) throws -> [Int: Row] {
        let cards = try context.fetch(FetchDescriptor<Card>())
        return Dictionary(cards.map { ($0.number, row($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private func row(_ card: Card) -> Row {
        Row(
            first: card.first, second: card.second, title: card.title, board: card.board?.number, state: card.state,
            price: card.price)
    }

    /// Saved changes are merged without a fetch, also into edited objects.
    private func checkHeld(_ side: Int) throws {
        sides[side].context.processPendingChanges()
        let expected = visible(side)
        for card in sides[side].held where card.modelContext != nil && !card.isDeleted {
            let (number, found) = (card.number, row(card).without(cut(side)))
            if found != expected[number] {
                throw Difference(
                    text: "side \(side): card \(number) is \(found), expected \(String(describing: expected[number]))")
            }
        }
    }

    private func check(_ side: Int) throws {
        try checkHeld(side)
        let found = try rows(sides[side].context).mapValues { $0.without(cut(side)) }
        rebase(side)
        let expected = visible(side)
        if found != expected { throw Difference(text: "side \(side) sees \(found), expected \(expected)") }
        let boards = try boards(side)
        let gone = goneBoards.union(sides[side].deletedBoards)
        let left = (0..<Self.boardCount).filter { !gone.contains($0) }
        if boards.map(\.number) != left {
            throw Difference(text: "side \(side) has boards \(boards.map(\.number)), expected \(left)")
        }
        for board in boards {
            let numbers = board.cards.map(\.number).sorted()
            let expected = expected.filter { $0.value.board == board.number }.keys.sorted()
            if numbers != expected {
                throw Difference(text: "side \(side): board \(board.number) has \(numbers), expected \(expected)")
            }
        }
    }

    private func checkStored() throws {
        let context = ModelContext(container)
        let found = try rows(context)
        if found != stored { throw Difference(text: "stored are \(found), expected \(stored)") }
        let cards = try context.fetch(FetchDescriptor<Card>()).map(\.record)
        for record in cards {
            let before = versions[record.id] ?? 0
            if record.version < before { throw Difference(text: "version of \(record.id) fell from \(before)") }
            versions[record.id] = record.version
        }
    }
}
