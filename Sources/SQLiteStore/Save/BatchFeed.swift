import ObjectGraph
import StoreSQL

/// Provides the rows of a batch to a statement: the key, then the columns that a save writes.
final class BatchFeed: RowFeed {
    private let plan: WritePlan
    private let columns: [Column]
    private let firstKey: Int64
    private let fill: (inout BatchInsert.Row) throws -> Bool
    // Exempt from run-time exclusivity checks, because they are used for every cell: only SQLite calls this class,
    // sequentially.
    @exclusivity(unchecked) private var row = BatchInsert.Row(values: [], given: [])
    @exclusivity(unchecked) private(set) var writer: RowWriter
    /// The number of rows so far.
    @exclusivity(unchecked) private(set) var count = 0

    private enum Column {
        case key
        case value(WriteCell)
        /// The entity number of a reference.
        case number(WriteCell)
    }

    init(
        _ plan: WritePlan, firstKey: Int64, _ writer: RowWriter,
        _ fill: @escaping (inout BatchInsert.Row) throws -> Bool
    ) {
        self.plan = plan
        self.firstKey = firstKey
        self.writer = writer
        self.fill = fill
        columns = [.key] + plan.cells.flatMap { $0.hasNumber ? [.value($0), .number($0)] : [.value($0)] }
    }

    override func advance() throws -> Bool {
        guard try fill(&row) else { return false }
        try row.check(against: plan.entity)
        guard firstKey < Int64.max - Int64(count) else {
            throw ChangeSetError.keysExhausted(table: plan.storage.table)
        }
        count += 1
        return true
    }

    override func report(_ column: Int, to cell: ResultCell) throws {
        switch columns[column] {
        case .key: cell.take(firstKey + Int64(count) - 1)
        case .value(let place): try writer.write(row.values[place.slot], place, of: plan.entity, to: cell)
        case .number(let place): try writer.writeNumber(row.values[place.slot], to: cell)
        }
    }
}
