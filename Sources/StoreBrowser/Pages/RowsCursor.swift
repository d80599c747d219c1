import Foundation
import ObjectGraph
import StoreInspection

/// A place beside one row of an ordered listing, as an address says it: what the row has of each key of the order, and its
/// own key. Rows from there on are found without counting through those before, and whatever is added or deleted
/// meanwhile, no row is shown twice or left out.
struct RowsCursor: Sendable, Hashable {
    /// `nil` before the first row, or behind the last.
    private let row: Row?
    private let direction: Direction

    private struct Row: Sendable, Hashable {
        let parts: [Part]
        let key: Int64
    }

    /// What the row has of one key of the order. In another order, the place is another one.
    private struct Part: Sendable, Hashable {
        /// As an address names it: `name`, or `-name`.
        let name: String
        let value: Value
    }

    enum Direction: Sendable, Hashable {
        case after, before
    }

    /// Behind the last row.
    static let end = RowsCursor(row: nil, direction: .before)
    private static let endText = "end"

    private init(row: Row?, direction: Direction) {
        self.row = row
        self.direction = direction
    }

    /// - Returns: `nil` where the order has a key whose value does not stand in the row itself, or cannot be told exactly.
    init?(_ direction: Direction, _ snapshot: Snapshot, _ sort: [SortKey]) {
        var parts: [Part] = []
        for key in sort {
            guard let name = key.cursorName, case .attribute(_, let attribute) = key.expression,
                snapshot.values.indices.contains(attribute.slot)
            else { return nil }
            let value = snapshot.values[attribute.slot]
            guard Self.text(value) != nil else { return nil }
            parts.append(Part(name: name, value: value))
        }
        self.init(row: Row(parts: parts, key: snapshot.id.key), direction: direction)
    }

    /// Whether every row has a place in an order, as far as types of values tell. Where only some had one, of a nil among
    /// decimals perhaps, places and counted pages would come between each other.
    static func hasPlaces(_ sort: [SortKey], of entity: Entity) -> Bool {
        sort.allSatisfy { key in
            guard key.cursorName != nil, case .attribute(_, let attribute) = key.expression,
                entity.slots.indices.contains(attribute.slot),
                case .attribute(_, let leaf) = entity.slots[attribute.slot]
            else { return false }
            return switch leaf.type {
            case .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .string, .uri: true
            case .decimal, .binary, .uuid, .transformable, .composite: false
            }
        }
    }

    // MARK: As a text

    /// - Returns: `nil` when the query has none.
    /// - Throws: `Problem` for one that cannot be read.
    init?(_ query: Fields) throws {
        switch (query["before"], query["after"]) {
        case (nil, nil): return nil
        case (Self.endText?, nil): self = .end
        case (let text?, nil): self.init(row: try Self.row(text), direction: .before)
        case (nil, let text?): self.init(row: try Self.row(text), direction: .after)
        default: throw Problem(.badRequest, "Not understood", "An address has 'before' or 'after', not both.")
        }
    }

    private static func row(_ text: String) throws -> Row {
        guard let list = try? JSONReading.value(Data(text.utf8)).listValue, case .integer(let key)? = list.last else {
            throw unreadable
        }
        let parts = list.dropLast().compactMap(part)
        guard parts.count == list.count - 1 else { throw unreadable }
        return Row(parts: parts, key: key)
    }

    /// A name and a value.
    private static func part(_ text: InspectedValue) -> Part? {
        guard let pair = text.listValue, pair.count == 2, let name = pair[0].textValue, let content = value(pair[1])
        else {
            return nil
        }
        return Part(name: name, value: content)
    }

    static let unreadable = Problem(
        .badRequest, "Not understood",
        "What 'before' or 'after' says is no place in a listing; take it from the page it continues.")

    /// For an address.
    var field: (String, String?) {
        let name = direction == .after ? "after" : "before"
        guard let row else { return (name, Self.endText) }
        let parts = row.parts.map { InspectedValue.list([.text($0.name), Self.text($0.value) ?? .none]) }
        return (name, InspectedValue.list(parts + [.integer(row.key)]).json())
    }

    private static func text(_ value: Value) -> InspectedValue? {
        switch value {
        case .null: .some(.none)
        case .integer(let number): .integer(number)
        case .real(let number) where number.isFinite: .real(number)
        case .text(let text) where text.utf8.count <= longestText: .text(text)
        default: nil
        }
    }

    /// Addresses have a limit.
    private static let longestText = 500

    private static func value(_ text: InspectedValue) -> Value? {
        switch text {
        case .none: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text)
        default: nil
        }
    }

    // MARK: As a query

    /// The query whose first rows are those next to the place; before it, they come in reverse.
    /// - Parameter id: identifies a row of the query's entity by its key.
    /// - Returns: `nil` for the place of another order.
    func query(_ query: Query, id: (Int64) -> ObjectID) -> Query? {
        var query = query
        let own = SortKey(.identity(.variable(.root)))
        let keys = query.sort + [own]
        if let row {
            guard row.parts.map(\.name) == query.sort.map(\.cursorName) else { return nil }
            let values = row.parts.map(\.value) + [.reference(id(row.key))]
            let test = Self.test(Array(zip(isForward ? keys : keys.map(\.reversed), values)))
            query.predicate = query.predicate.map { .and([$0, test]) } ?? test
        }
        if !isForward { query.sort = keys.map(\.reversed) }
        return query
    }

    var isForward: Bool { direction == .after }

    /// The query for its own row, found by what the place says of it. Where that finds none, as of a text column that has
    /// bytes, or a Boolean of 7, a listing that goes on from here would leave rows out, or never end.
    /// - Returns: `nil` where the place is one of keys alone, which are what they are.
    func ownRow(_ query: Query, id: (Int64) -> ObjectID) -> Query? {
        guard let row, !row.parts.isEmpty else { return nil }
        let own = QueryExpression.compare(
            .equal, .identity(.variable(.root)), .literal(.reference(id(row.key))))
        let values = zip(query.sort, row.parts).map { key, part in
            QueryExpression.compare(.equal, key.expression, .literal(part.value))
        }
        return Query(entityIndex: query.entityIndex, predicate: .and([own] + values))
    }

    /// Whether a row comes after one with these values.
    private static func test(_ keys: [(SortKey, Value)]) -> QueryExpression {
        guard let (key, value) = keys.first else { return .constant(false) }
        let rest = Array(keys.dropFirst())
        let further = key.isBeyond(value)
        guard !rest.isEmpty else { return further }
        return .or([further, .and([.compare(.equal, key.expression, .literal(value)), test(rest)])])
    }
}

extension SortKey {
    /// `nil` for what does not stand in the row itself, or is not ordered by its value alone.
    fileprivate var cursorName: String? {
        guard case .attribute(.variable(.root), let attribute) = expression, textOrder == .binary else { return nil }
        return isAscending ? attribute.path : "-" + attribute.path
    }

    fileprivate var reversed: SortKey { SortKey(expression, ascending: !isAscending, textOrder: textOrder) }

    /// Whether a row stands further on than a value: nil comes first in ascending order, last in descending.
    fileprivate func isBeyond(_ value: Value) -> QueryExpression {
        let isNil = QueryExpression.compare(.equal, expression, .literal(.null))
        if value.isNull { return isAscending ? .not(isNil) : .constant(false) }
        let test = QueryExpression.compare(isAscending ? .greater : .less, expression, .literal(value))
        if case .identity = expression { return test }
        return isAscending ? test : .or([test, isNil])
    }
}
