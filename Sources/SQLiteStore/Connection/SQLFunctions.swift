import CSQLite
import Foundation
import ObjectGraph
import StoreSQL

/// The SQL functions, collations and tables that every connection has. Text is compared by the same Swift code as in memory.
enum SQLFunctions {
    static func register(on connection: Connection) throws {
        let handle = connection.handle
        for name in derivedAttributeTriggers { try add(name, argumentCount: -1, function: returnNull, to: handle) }
        try add(
            DerivationFunctions.now, argumentCount: 0, traits: SQLITE_UTF8 | SQLITE_INNOCUOUS, function: returnTime,
            to: handle)
        for (index, test) in TextTest.allCases.enumerated() {
            try add(SQLNames.function(of: test), argumentCount: 2, tag: index, function: testText, to: handle)
        }
        for (index, order) in TextOrder.allCases.enumerated() {
            try add(SQLNames.function(of: order), argumentCount: 2, tag: index, function: orderTexts, to: handle)
            if order != .binary { try addCollation(order, tag: index, to: handle) }
        }
        for (index, operation) in ArithmeticOperator.allCases.enumerated() {
            try add(SQLNames.function(of: operation), argumentCount: 2, tag: index, function: calculate, to: handle)
        }
        for (index, function) in ScalarFunction.allCases.enumerated() {
            try add(
                SQLNames.function(of: function), argumentCount: Int32(function.argumentCount), tag: index,
                function: applyFunction, to: handle)
        }
        try add(SQLNames.textLength, argumentCount: 1, function: measureText, to: handle)
        try SQLAggregates.register(on: handle)
        try ValueListTable.register(on: handle)
        try RowFeedTable.register(on: handle)
        try KeyFilter.register(on: handle)
    }

    /// Names of functions that the triggers of derived attributes call. These triggers ignore their results.
    private static let derivedAttributeTriggers = [DerivationFunctions.updated, DerivationFunctions.inserted]

    private typealias Function =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static let traits = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS

    private static func add(
        _ name: String, argumentCount: Int32, tag: Int = 0, traits: Int32 = traits, function: Function,
        to handle: OpaquePointer
    ) throws {
        let result = sqlite3_create_function_v2(
            handle, name, argumentCount, traits, UnsafeMutableRawPointer(bitPattern: tag + 1), function, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLiteError(connection: handle, result: result) }
    }

    private static func addCollation(_ order: TextOrder, tag: Int, to handle: OpaquePointer) throws {
        let result = sqlite3_create_collation_v2(
            handle, SQLNames.collation(of: order), SQLITE_UTF8, UnsafeMutableRawPointer(bitPattern: tag + 1), collate,
            nil)
        guard result == SQLITE_OK else { throw SQLiteError(connection: handle, result: result) }
    }

    // MARK: Values of SQLite

    static func report(_ value: Cell, to context: OpaquePointer?) {
        let result = ResultCell(context: context)
        switch value {
        case .null: result.takeNull()
        case .integer(let integer): result.take(integer)
        case .real(let real): result.take(real)
        case .text(let text): result.take(text)
        case .bytes(let data): result.take(data)
        }
    }

    /// `nil` unless the value is a text.
    fileprivate static func text(_ value: OpaquePointer?) -> String? {
        guard sqlite3_value_type(value) == SQLITE_TEXT, let bytes = sqlite3_value_text(value) else { return nil }
        let buffer = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Returns the enumeration case that a function was registered for.
    static func tag<Case: CaseIterable>(
        _ data: UnsafeMutableRawPointer?, _: Case.Type
    ) -> Case? where Case.AllCases == [Case] {
        let index = Int(bitPattern: data) - 1
        return Case.allCases.indices.contains(index) ? Case.allCases[index] : nil
    }
}

private func returnNull(_ context: OpaquePointer?, _: Int32, _: UnsafeMutablePointer<OpaquePointer?>?) {
    sqlite3_result_null(context)
}

private func returnTime(_ context: OpaquePointer?, _: Int32, _: UnsafeMutablePointer<OpaquePointer?>?) {
    sqlite3_result_double(context, Date().timeIntervalSinceReferenceDate)
}

private func testText(_ context: OpaquePointer?, _: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let test = SQLFunctions.tag(sqlite3_user_data(context), TextTest.self), let arguments,
        let text = SQLFunctions.text(arguments[0]), let other = SQLFunctions.text(arguments[1])
    else { return sqlite3_result_int(context, 0) }
    sqlite3_result_int(context, TextMatching.test(test, text, other) ? 1 : 0)
}

private func orderTexts(_ context: OpaquePointer?, _: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let order = SQLFunctions.tag(sqlite3_user_data(context), TextOrder.self), let arguments,
        let text = SQLFunctions.text(arguments[0]), let other = SQLFunctions.text(arguments[1])
    else { return sqlite3_result_null(context) }
    sqlite3_result_int(context, Int32(TextMatching.order(order, text, other)))
}

private func measureText(_ context: OpaquePointer?, _: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let text = SQLFunctions.text(arguments?[0]) else { return sqlite3_result_null(context) }
    sqlite3_result_int64(context, Int64(TextMatching.length(text)))
}

private func collate(
    _ data: UnsafeMutableRawPointer?, _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32,
    _ right: UnsafeRawPointer?
) -> Int32 {
    guard let order = SQLFunctions.tag(data, TextOrder.self) else { return 0 }
    let leftText = UnsafeRawBufferPointer(start: left, count: Int(leftCount)).bindMemory(to: UInt8.self)
    let rightText = UnsafeRawBufferPointer(start: right, count: Int(rightCount)).bindMemory(to: UInt8.self)
    return Int32(TextMatching.order(order, leftText, rightText))
}

// MARK: Arithmetic

/// SQLite converts overflowing integers to reals; this function returns NULL instead, like the in-memory evaluator.
private func calculate(_ context: OpaquePointer?, _: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let operation = SQLFunctions.tag(sqlite3_user_data(context), ArithmeticOperator.self), let arguments else {
        return sqlite3_result_null(context)
    }
    switch Arithmetic.apply(operation, number(arguments[0]), number(arguments[1])) {
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    default: sqlite3_result_null(context)
    }
}

/// Returns `.null` unless the value is a number.
private func number(_ value: OpaquePointer?) -> Value {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: .real(sqlite3_value_double(value))
    default: .null
    }
}

// MARK: Functions of values

private func applyFunction(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let function = SQLFunctions.tag(sqlite3_user_data(context), ScalarFunction.self), let arguments else {
        return sqlite3_result_null(context)
    }
    let values = (0..<Int(count)).map { SQLFunctions.text(arguments[$0]).map(Value.text) ?? number(arguments[$0]) }
    SQLFunctions.report(Cell(function.apply(values)) ?? .null, to: context)
}
