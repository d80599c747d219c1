import AppleFormats
import ObjectGraph

/// The first number that a history can be read on from, without missing more than was deleted by choice.
///
/// That is the number of the oldest transaction there is, unless older ones were deleted for what they are, such as for their
/// author: a reader that has come to a place before those goes on past the hole. The file's metadata tell the start then,
/// with the oldest transaction of that time, so that it counts for nothing once another program has deleted history, too.
enum HistoryStart {
    static func number(_ connection: Connection) throws -> Int64 {
        try number(HistoryReader.bounds(connection), StoreMetadata(connection))
    }

    static func number(_ bounds: HistoryReader.Bounds, _ metadata: StoreMetadata) -> Int64 {
        guard let noted = metadata.propertyList[StoreMetadata.Key.historyStart]?.arrayValue, noted.count == 2,
            let start = noted[0].integerValue, noted[1].integerValue == bounds.firstNumber
        else { return bounds.firstNumber }
        return start
    }

    /// Notes the start, where the oldest transaction does not tell it. Within a transaction of the caller's.
    static func note(_ start: Int64, _ connection: Connection) throws {
        let first = try HistoryReader.bounds(connection).firstNumber
        let noted: PropertyList? = start < first ? .array([.integer(start), .integer(first)]) : nil
        guard try StoreMetadata(connection).propertyList[StoreMetadata.Key.historyStart] != noted else { return }
        try StoreMetadata.change(connection) { $0[StoreMetadata.Key.historyStart] = noted }
    }
}

extension HistoryReader.Bounds {
    /// Of the oldest transaction; of the next one, where there is none.
    var firstNumber: Int64 { oldest ?? newest + 1 }
}
