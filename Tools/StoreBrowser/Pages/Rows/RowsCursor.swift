import Foundation
import ObjectGraph
import StoreInspection

/// A position next to one row of a sorted listing, as an address describes it: the row's value of each sort key, and
/// its primary key. Rows after it are found without counting the rows before it, and no row is repeated or omitted when
/// rows are inserted or deleted meanwhile.
struct RowsCursor: Sendable, Hashable {
    /// `nil` before the first row, or after the last.
    private let row: Row?
    private let direction: Direction

    private struct Row: Sendable, Hashable {
        let parts: [Part]
        let key: Int64
    }

    /// The row's value of one sort key. A cursor is valid only for the sort order it was made for.
    private struct Part: Sendable, Hashable {
        /// The sort key as an address spells it: `name`, or `-name` for descending order.
        let name: String
        let value: Value
    }

    enum Direction: Sendable, Hashable {
        case after, before
    }

    /// The position after the last row.
    static let end = RowsCursor(row: nil, direction: .before)
    private static let endText = "end"

    private init(row: Row?, direction: Direction) {
        self.row = row
        self.direction = direction
    }

    /// - Returns: `nil` if the value of a sort key is not stored in the row itself, or cannot be expressed exactly in
    ///   an address.
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

    /// Whether every row has a cursor in this order, judging by the attributes' types. If only some rows had one, such
    /// as nil values of a decimal attribute, pages by cursor and pages by offset would mix.
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

    // MARK: Text

    /// - Returns: `nil` if the query has no cursor.
    /// - Throws: `Problem` if the cursor is malformed.
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

    /// Parses a pair of name and value.
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

    /// The parameter for an address.
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

    /// Longer texts would exceed the length limit of addresses.
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

    // MARK: Query

    /// The query whose first rows are those next to the position; rows before it are returned in reverse order.
    /// - Parameter id: returns the object ID of a row of the query's entity from its primary key.
    /// - Returns: `nil` if the cursor belongs to another sort order.
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

    /// The query for the cursor's own row by the values in the cursor. If it finds no row, as with a text column that
    /// stores bytes or a Boolean of 7, a listing that continues from this cursor would omit rows or never end.
    /// - Returns: `nil` if the cursor has a primary key only, which always matches.
    func ownRow(_ query: Query, id: (Int64) -> ObjectID) -> Query? {
        guard let row, !row.parts.isEmpty else { return nil }
        let own = QueryExpression.compare(
            .equal, .identity(.variable(.root)), .literal(.reference(id(row.key))))
        let values = zip(query.sort, row.parts).map { key, part in
            QueryExpression.compare(.equal, key.expression, .literal(part.value))
        }
        return Query(entityIndex: query.entityIndex, predicate: .and([own] + values))
    }

    /// Whether a row sorts after a row with these values.
    private static func test(_ keys: [(SortKey, Value)]) -> QueryExpression {
        guard let (key, value) = keys.first else { return .constant(false) }
        let rest = Array(keys.dropFirst())
        let further = key.isBeyond(value)
        guard !rest.isEmpty else { return further }
        return .or([further, .and([.compare(.equal, key.expression, .literal(value)), test(rest)])])
    }
}

extension SortKey {
    /// `nil` if the sort key's value is not stored in the row itself, or is not ordered by that value alone.
    fileprivate var cursorName: String? {
        guard case .attribute(.variable(.root), let attribute) = expression, textOrder == .binary else { return nil }
        return isAscending ? attribute.path : "-" + attribute.path
    }

    fileprivate var reversed: SortKey { SortKey(expression, ascending: !isAscending, textOrder: textOrder) }

    /// Whether a row sorts after a value: nil comes first in ascending order, last in descending order.
    fileprivate func isBeyond(_ value: Value) -> QueryExpression {
        let isNil = QueryExpression.compare(.equal, expression, .literal(.null))
        if value.isNull { return isAscending ? .not(isNil) : .constant(false) }
        let test = QueryExpression.compare(isAscending ? .greater : .less, expression, .literal(value))
        if case .identity = expression { return test }
        return isAscending ? test : .or([test, isNil])
    }
}
