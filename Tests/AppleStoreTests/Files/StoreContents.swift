import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

/// The complete contents of a file, as plain SQL shows them: the schema, and every row of every table.
struct StoreContents: Equatable {
    typealias Row = [String: Cell]

    /// Type, name and text of each object, in the file's order.
    let schema: [[String]]
    /// Rows by table and row number.
    let tables: [String: [Int64: Row]]

    init(_ url: URL) throws {
        try self.init(try Connection(.file(url), access: .readOnly))
    }

    init(_ connection: Connection) throws {
        schema = try connection.rows("SELECT type, name, coalesce(sql, '') FROM sqlite_master ORDER BY rowid").map {
            [$0["type"], $0["name"], $0["coalesce(sql, '')"]].map { cell in
                if case .text(let text)? = cell { normalized(text) } else { "" }
            }
        }
        var tables: [String: [Int64: Row]] = [:]
        for object in schema where object[0] == "table" {
            let rows = try connection.rows("SELECT rowid AS row_number, * FROM \(object[1])")
            tables[object[1]] = Dictionary(uniqueKeysWithValues: rows.map(Self.numbered))
        }
        self.tables = tables
    }

    /// A join row is identified by its two keys: its row number may be assigned to another one.
    private static func numbered(_ row: Row) -> (Int64, Row) {
        var row = row
        let number = row.removeValue(forKey: "row_number")?.integer ?? 0
        guard row.count == 2, row.keys.allSatisfy({ $0.hasPrefix("Z_") }) else { return (number, row) }
        let keys = row.sorted { $0.key < $1.key }.compactMap(\.value.integer)
        guard keys.count == 2 else { return (number, row) }
        return (keys[0] << 32 | keys[1], row)
    }

    func rows(_ table: String) -> [Int64: Row] { tables[table] ?? [:] }

    func cell(_ table: String, _ key: Int64, _ column: String) -> Cell? { rows(table)[key]?[column] }

    /// Ascending values of one column, by the value of another one.
    func keys(_ column: String, of table: String, by other: String) -> [Int64: [Int64]] {
        var keys: [Int64: [Int64]] = [:]
        for row in rows(table).values {
            guard let owner = row[other]?.integer, let key = row[column]?.integer else { continue }
            keys[owner, default: []].append(key)
        }
        return keys.mapValues { $0.sorted() }
    }
}

extension Connection {
    func rows(_ sql: String) throws -> [StoreContents.Row] {
        let statement = try prepare(sql)
        let names = (0..<statement.columnCount).map { statement.columnName($0) }
        var rows: [StoreContents.Row] = []
        while try statement.step() {
            rows.append(
                Dictionary(
                    names.enumerated().map { ($0.element, statement.cell(at: $0.offset)) },
                    uniquingKeysWith: { first, _ in first }))
        }
        return rows
    }
}

extension Cell {
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var data: Data? { if case .bytes(let data) = self { data } else { nil } }

    /// A number of either storage class.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    init(_ text: String?) { self = text.map(Cell.text) ?? .null }
    init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }
    init(_ uuid: UUID?) { self = uuid.map { .bytes($0.rawBytes) } ?? .null }
    init(_ key: Int64?) { self = key.map(Cell.integer) ?? .null }
}

// MARK: Differences

/// The differences of one table.
struct TableDifference: Equatable {
    var inserted: [Int64: StoreContents.Row] = [:]
    var deleted: Set<Int64> = []
    /// New values of the columns that changed, by row.
    var updated: [Int64: StoreContents.Row] = [:]

    var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && updated.isEmpty }
}

extension [String: TableDifference] {
    func updatedKeys(_ table: String) -> Set<Int64> { Set(self[table]?.updated.keys.map { $0 } ?? []) }

    /// The columns that changed in one row.
    func updatedColumns(_ table: String, _ key: Int64) -> Set<String> {
        Set(self[table]?.updated[key]?.keys.map { $0 } ?? [])
    }
}

extension StoreContents {
    /// Differences by table; unchanged tables are left out.
    func differences(from original: StoreContents) -> [String: TableDifference] {
        var differences: [String: TableDifference] = [:]
        for table in Set(tables.keys).union(original.tables.keys) {
            let difference = Self.difference(original.rows(table), rows(table))
            if !difference.isEmpty { differences[table] = difference }
        }
        return differences
    }

    private static func difference(_ old: [Int64: Row], _ new: [Int64: Row]) -> TableDifference {
        var difference = TableDifference()
        difference.deleted = Set(old.keys).subtracting(new.keys)
        for (key, row) in new {
            guard let former = old[key] else {
                difference.inserted[key] = row
                continue
            }
            let changed = row.filter { former[$0.key] != $0.value }
            if !changed.isEmpty { difference.updated[key] = changed }
        }
        return difference
    }
}

// MARK: History

/// One history row, without its own key.
struct HistoryEntry: Hashable, CustomStringConvertible {
    enum Kind: Int64 {
        case insert, update, delete
    }

    let kind: Kind
    let entity: Int64
    let key: Int64
    /// Hexadecimal.
    var columns: String?

    var description: String { "\(kind) \(entity)/\(key) \(columns ?? "-")" }

    static func insert(_ entity: Int64, _ key: Int64) -> HistoryEntry {
        HistoryEntry(kind: .insert, entity: entity, key: key)
    }

    static func delete(_ entity: Int64, _ key: Int64) -> HistoryEntry {
        HistoryEntry(kind: .delete, entity: entity, key: key)
    }

    /// - Parameters:
    ///   - bits: positions of the changed properties, the most significant bit of the first byte being 0.
    ///   - count: number of positions the entity has.
    static func update(_ entity: Int64, _ key: Int64, _ bits: [Int], of count: Int) -> HistoryEntry {
        var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
        for bit in bits { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return HistoryEntry(kind: .update, entity: entity, key: key, columns: Data(bytes).hexadecimal)
    }
}

extension Data {
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension TableDifference {
    /// The new rows of the change table.
    var history: Set<HistoryEntry> {
        Set(
            inserted.values.compactMap { row in
                guard let kind = row["ZCHANGETYPE"]?.integer.flatMap(HistoryEntry.Kind.init(rawValue:)),
                    let entity = row["ZENTITY"]?.integer, let key = row["ZENTITYPK"]?.integer
                else { return nil }
                return HistoryEntry(kind: kind, entity: entity, key: key, columns: row["ZCOLUMNS"]?.data?.hexadecimal)
            })
    }
}

/// Expects that the differences contain exactly one new history transaction with these changes, in Apple's form, and that the
/// counters follow.
func expectHistory(
    _ expected: Set<HistoryEntry>, _ differences: [String: TableDifference], _ original: StoreContents,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let changes = try #require(differences["ACHANGE"], sourceLocation: sourceLocation)
    #expect(changes.history == expected, sourceLocation: sourceLocation)
    #expect(changes.inserted.count == expected.count, sourceLocation: sourceLocation)
    #expect(changes.updated.isEmpty && changes.deleted.isEmpty, sourceLocation: sourceLocation)
    let transactions = try #require(differences["ATRANSACTION"], sourceLocation: sourceLocation)
    #expect(transactions.updated.isEmpty && transactions.deleted.isEmpty, sourceLocation: sourceLocation)
    let number = (original.cell("Z_PRIMARYKEY", 16002, "Z_MAX")?.integer ?? 0) + 1
    #expect(Set(transactions.inserted.keys) == [number], sourceLocation: sourceLocation)
    let transaction = try #require(transactions.inserted[number], sourceLocation: sourceLocation)
    #expect(transaction["Z_ENT"] == .integer(16002) && transaction["Z_OPT"] == .null, sourceLocation: sourceLocation)
    #expect((transaction["ZTIMESTAMP"]?.number ?? 0) > 800_000_000, sourceLocation: sourceLocation)
    #expect(transaction["ZPROCESSIDTS"]?.integer != nil, sourceLocation: sourceLocation)
    for column in ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID", "ZQUERYGEN"] {
        #expect(transaction[column] == .null, sourceLocation: sourceLocation)
    }
    for row in changes.inserted.values {
        #expect(row["Z_ENT"] == .integer(16001) && row["Z_OPT"] == .null, sourceLocation: sourceLocation)
        #expect(row["ZTRANSACTIONID"] == .integer(number), sourceLocation: sourceLocation)
    }
    let counters = differences["Z_PRIMARYKEY"]?.updated ?? [:]
    let inserted = differences["Z_PRIMARYKEY"]?.inserted ?? [:]
    let changeCounter = counters[16001]?["Z_MAX"] ?? inserted[16001]?["Z_MAX"]
    #expect((changeCounter?.integer ?? 0) >= changes.inserted.keys.max() ?? 0, sourceLocation: sourceLocation)
    let transactionCounter = counters[16002]?["Z_MAX"] ?? inserted[16002]?["Z_MAX"]
    #expect(transactionCounter == .integer(number), sourceLocation: sourceLocation)
}
