import ObjectGraph
import StoreSQL

extension SQLText {
    /// The keys as an operand of `IN`.
    static func listed(_ keys: KeySet) -> SQLText {
        "(SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(\(.keys(keys))))"
    }

    /// Whether the column's key is one of these.
    static func isAmong(_ keys: KeySet, _ column: String) -> SQLText {
        keys.isEmpty ? "0" : "\(SQLNames.hasKey)(\(.filter(keys)), \(column))"
    }
}
