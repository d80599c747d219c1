import CSQLite
import ObjectGraph
import StoreSQL

/// The aggregate functions that every connection has beside SQLite's own. They run the same code as the in-memory evaluator.
enum SQLAggregates {
    static func register(on handle: OpaquePointer) throws {
        for (index, aggregate) in SQLAggregate.allCases.enumerated() where aggregate.function.isCalculated {
            let result = sqlite3_create_function_v2(
                handle, SQLNames.function(of: aggregate.function, with: aggregate.numbers), 1,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                UnsafeMutableRawPointer(bitPattern: index + 1), nil, takeValue, reportCalculation, nil)
            guard result == SQLITE_OK else { throw SQLiteError(connection: handle, result: result) }
        }
    }

    /// The memory that SQLite keeps for each group: zeroed before the group's first row, passed back after its last one
    /// or when the statement ends early.
    fileprivate typealias Place = Unmanaged<Calculation>?

    fileprivate final class Calculation {
        var values: AggregateCalculation

        init(_ aggregate: SQLAggregate) { values = aggregate.calculation }
    }

    fileprivate static func place(
        _ context: OpaquePointer?, size: Int = MemoryLayout<Place>.size
    ) -> UnsafeMutablePointer<Place>? {
        sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: Place.self)
    }

    fileprivate static func aggregate(_ context: OpaquePointer?) -> SQLAggregate? {
        SQLFunctions.tag(sqlite3_user_data(context), SQLAggregate.self)
    }
}

/// An aggregate function and its calculation.
private struct SQLAggregate: CaseIterable {
    let function: AggregateFunction
    let numbers: AggregateNumbers

    static let allCases = AggregateNumbers.allCases.flatMap { numbers in
        AggregateFunction.allCases.map { SQLAggregate(function: $0, numbers: numbers) }
    }

    var calculation: AggregateCalculation { AggregateCalculation(function, with: numbers) }
}

private func takeValue(_ context: OpaquePointer?, _: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let value = arguments?[0], let place = SQLAggregates.place(context),
        let aggregate = SQLAggregates.aggregate(context)
    else { return }
    let known = place.pointee ?? .passRetained(SQLAggregates.Calculation(aggregate))
    place.pointee = known
    let calculation = known.takeUnretainedValue()
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: calculation.values.add(sqlite3_value_int64(value))
    case SQLITE_FLOAT: calculation.values.add(sqlite3_value_double(value))
    default: break
    }
}

/// Called once for each group, including a group without rows.
private func reportCalculation(_ context: OpaquePointer?) {
    guard let aggregate = SQLAggregates.aggregate(context) else { return sqlite3_result_null(context) }
    // With a size of zero, SQLite returns null if the group has no row.
    let place = SQLAggregates.place(context, size: 0)
    let calculation = place?.pointee?.takeRetainedValue()
    place?.pointee = nil
    let values = calculation?.values ?? aggregate.calculation
    switch values.result {
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    // A text keeps all digits.
    case .decimal(let decimal): SQLFunctions.report(.text(ColumnCodec.text(of: decimal)), to: context)
    default: sqlite3_result_null(context)
    }
}
