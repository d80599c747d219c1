import AppleFormats
import ObjectGraph

/// The first number from which a history can be read without missing transactions, except for those deleted by choice.
///
/// Usually it is the number of the oldest existing transaction. It is smaller if older ones were deleted selectively, for
/// example by author: a reader whose position is before those continues past the gap. Then the start is in the file's
/// metadata together with the oldest transaction at that time, so that it becomes invalid once another program prunes the
/// history, too.
enum HistoryStart {
    static func number(_ connection: Connection) throws -> Int64 {
        try number(HistoryReader.range(connection), StoreMetadata(connection))
    }

    static func number(_ range: HistoryRange, _ metadata: StoreMetadata) -> Int64 {
        guard let noted = metadata.propertyList[StoreMetadata.Key.historyStart]?.arrayValue, noted.count == 2,
            let start = noted[0].integerValue, noted[1].integerValue == range.first
        else { return range.first }
        return start
    }

    /// Records the start if the oldest transaction does not determine it. Needs a transaction of the caller.
    static func note(_ start: Int64, _ connection: Connection) throws {
        let first = try HistoryReader.range(connection).first
        let noted: PropertyList? = start < first ? .array([.integer(start), .integer(first)]) : nil
        guard try StoreMetadata(connection).propertyList[StoreMetadata.Key.historyStart] != noted else { return }
        try StoreMetadata.change(connection) { $0[StoreMetadata.Key.historyStart] = noted }
    }
}
