import ObjectGraph
import StoreSQL

/// A small dialect that differs from SQLite's wherever dialects can: numbered placeholders, quoted names, arrays in
/// place of lists, and few functions.
struct NumberedDialect: Dialect {
    func placeholder(_ number: Int) -> String { "$\(number)" }

    /// Fixed names of the layout need no quotes.
    func name(_ name: String) -> String { Self.plainNames.contains(name) ? name : "\"\(name)\"" }

    private static let plainNames: Set = [
        SystemTables.keyColumn, SystemTables.entityColumn, SystemTables.versionColumn,
    ]

    func isAmong(_ cells: [Cell], _ value: SQLText) -> SQLText { "\(value) = ANY(\(.list(cells)))" }

    func isAmong(_ keys: KeySet, _ key: SQLText, by search: KeySearch) -> SQLText { "\(key) = ANY(\(.keys(keys)))" }

    func name(of function: SQLFunction) -> String? {
        switch function {
        case .aggregate(.count, _): "count"
        case .aggregate(.sum, .reals): "sum"
        case .scalar(.lowercase): "lower"
        default: nil
        }
    }

    func collation(of order: TextOrder) -> String? { order == .binary ? "\"C\"" : nil }

    func insertion(ofMissing rows: String, into target: String) -> String {
        "INSERT INTO \(target) \(rows) ON CONFLICT DO NOTHING"
    }

    func keyTable(_ number: Int) -> KeyTable {
        KeyTable(
            source: "unnest(\(parameter(number))) WITH ORDINALITY AS v(key, place)", key: "v.key",
            position: "(v.place - 1)")
    }
}
