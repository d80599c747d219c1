import Foundation
import ObjectGraph

@testable import SwiftData

/// Two contexts over the same rows, and what the rows must be: edits win property by property over what others saved
/// meanwhile, and what was deleted stays deleted.
final class ContextPair {
    struct Row: Equatable {
        var first = 0
        var second = 0
        var title: String?
        var board: Int?

        /// What this edit of `base` makes of the stored row.
        func merged(into stored: Row, base: Row) -> Row {
            Row(
                first: first == base.first ? stored.first : first,
                second: second == base.second ? stored.second : second,
                title: title == base.title ? stored.title : title,
                board: board == base.board ? stored.board : board)
        }
    }

    private struct Side {
        let context: ModelContext
        var edits: [Int: (base: Row, current: Row)] = [:]
        var inserted: [Int: Row] = [:]
        var deleted: Set<Int> = []
    }

    private let container: ModelContainer
    private var sides: [Side]
    private var stored: [Int: Row] = [:]
    private var versions: [ObjectID: RowVersion] = [:]
    private var lastNumber = 0
    private(set) var log: [String] = []
    private(set) var saves = 0

    init() throws {
        container = try ModelContainer(
            for: Board.self, Card.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        sides = (0..<2).map { [container] _ in Side(context: ModelContext(container)) }
        let context = ModelContext(container)
        for number in 0..<3 { context.insert(Board(number: number)) }
        for _ in 0..<5 {
            lastNumber += 1
            context.insert(Card(number: lastNumber))
            stored[lastNumber] = Row()
        }
        try context.save()
    }

    // MARK: Steps

    func step(_ random: inout Seeded) throws {
        let side = random.roll(2)
        switch random.roll(16) {
        case 0: insert(side)
        case 1: try delete(side, &random)
        case 2: rollback(side)
        case 3..<7: try save(side)
        default: try edit(side, &random)
        }
        try check(side)
        try sides[side].context.graph.checkInvariants()
    }

    func finish() throws {
        for side in sides.indices { try save(side) }
        for side in sides.indices { try check(side) }
        try checkStored()
    }

    /// What a fetch shows on one side: stored rows that it has not edited, its edits, its insertions.
    private func visible(_ side: Int) -> [Int: Row] {
        var rows = stored.filter { !sides[side].deleted.contains($0.key) }
        for (number, edit) in sides[side].edits {
            if let row = rows[number] { rows[number] = edit.current.merged(into: row, base: edit.base) }
        }
        return rows.merging(sides[side].inserted) { $1 }
    }

    /// A fetch lays edits on top of what others saved.
    private func rebase(_ side: Int) {
        let rows = visible(side)
        for number in sides[side].edits.keys {
            guard let row = rows[number], let base = stored[number] else { continue }
            sides[side].edits[number] = (base: base, current: row)
        }
    }

    private func cards(_ side: Int) throws -> [Int: Card] {
        let cards = try sides[side].context.fetch(FetchDescriptor<Card>())
        return Dictionary(cards.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func edit(_ side: Int, _ random: inout Seeded) throws {
        let cards = try cards(side)
        guard let number = random.pick(cards.keys.sorted()), let card = cards[number], let old = visible(side)[number]
        else { return }
        var row = old
        switch random.roll(5) {
        case 0, 1: row.first = random.roll(3)
        case 2: row.second = random.roll(3)
        case 3: row.title = random.pick([nil, "a", "b"]) ?? nil
        default: row.board = random.pick([nil, 0, 1, 2]) ?? nil
        }
        log.append("\(side): card \(number) \(old) -> \(row)")
        let boards = try sides[side].context.fetch(FetchDescriptor<Board>())
        if card.first != row.first { card.first = row.first }
        if card.second != row.second { card.second = row.second }
        if card.title != row.title { card.title = row.title }
        if card.board?.number != row.board { card.board = boards.first { $0.number == row.board } }
        if sides[side].inserted[number] != nil {
            sides[side].inserted[number] = row
        } else if row != old, let base = stored[number] {
            sides[side].edits[number] = (base: base, current: row)
        }
    }

    private func insert(_ side: Int) {
        lastNumber += 1
        log.append("\(side): insert \(lastNumber)")
        sides[side].context.insert(Card(number: lastNumber))
        sides[side].inserted[lastNumber] = Row()
    }

    private func delete(_ side: Int, _ random: inout Seeded) throws {
        let cards = try cards(side)
        guard let number = random.pick(cards.keys.sorted()), let card = cards[number] else { return }
        log.append("\(side): delete \(number)")
        sides[side].context.delete(card)
        if sides[side].inserted.removeValue(forKey: number) == nil { sides[side].deleted.insert(number) }
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
        forgetEdits(side)
        try checkStored()
    }

    // MARK: Checks

    private func rows(_ context: ModelContext) throws -> [Int: Row] {
        let cards = try context.fetch(FetchDescriptor<Card>())
        let rows = cards.map { card in
            let row = Row(first: card.first, second: card.second, title: card.title, board: card.board?.number)
            return (card.number, row)
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    private func check(_ side: Int) throws {
        let found = try rows(sides[side].context)
        rebase(side)
        let expected = visible(side)
        if found != expected { throw Difference(text: "side \(side) sees \(found), expected \(expected)") }
        for board in try sides[side].context.fetch(FetchDescriptor<Board>()) {
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
