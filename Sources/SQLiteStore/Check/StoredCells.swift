import ObjectGraph

/// The cells of one attribute, or of one part of a composite, and a question in SQL about each of them: whether
/// `ColumnCodec` can make a value of it, and whether that is one its type can hold.
struct StoredCells: Sendable {
    /// Declares the attribute.
    let entity: Entity
    let property: String
    let table: String
    let column: String
    let type: AttributeType
    let isExternal: Bool
    /// Entity numbers of the rows that have the attribute. Nobody reads the column of others.
    let rowNumbers: [Int]

    enum Fault: Int64, Sendable, Hashable, CaseIterable {
        case unreadable = 1
        case outOfRange = 2
    }

    /// Of a row `r`: 0, the number of a fault, or the cell itself, a text or a real, where only `ColumnCodec` can tell.
    var verdict: String {
        "CASE WHEN r.\(SystemTables.entityColumn) IN \(SQLList(rowNumbers)) "
            + "THEN \(Self.verdict("r.\(column)", type, isExternal: isExternal)) ELSE 0 END"
    }

    /// - Parameter verdict: what SQLite answered.
    static func fault(_ verdict: Cell, _ type: AttributeType) -> Fault? {
        if case .integer(let number) = verdict { return Fault(rawValue: number) }
        do {
            _ = try ColumnCodec.value(of: verdict, type)
            return nil
        } catch {
            return .unreadable
        }
    }

    static func verdict(_ cell: String, _ type: AttributeType, isExternal: Bool = false) -> String {
        if isExternal { return tagVerdict(cell) }
        return switch type {
        case .integer16: integerVerdict(cell, Int64(Int16.min)...Int64(Int16.max))
        case .integer32: integerVerdict(cell, Int64(Int32.min)...Int64(Int32.max))
        case .integer64: integerVerdict(cell, nil)
        case .boolean: "typeof(\(cell)) NOT IN ('null', 'integer')"
        case .double, .float, .date: "typeof(\(cell)) IN ('text', 'blob')"
        case .decimal: decimalVerdict(cell)
        case .string, .uri: "typeof(\(cell)) NOT IN ('null', 'text')"
        case .uuid:
            "CASE typeof(\(cell)) WHEN 'null' THEN 0 WHEN 'blob' THEN length(\(cell)) <> 16 WHEN 'text' THEN \(cell) "
                + "ELSE \(Fault.unreadable.rawValue) END"
        case .binary, .transformable: "typeof(\(cell)) IN ('integer', 'real')"
        case .composite: "0"
        }
    }

    /// A real is read where it is whole and has 64 bits.
    private static func integerVerdict(_ cell: String, _ range: ClosedRange<Int64>?) -> String {
        let beyond = range.map {
            "(\(cell) NOT BETWEEN \($0.lowerBound) AND \($0.upperBound)) * \(Fault.outOfRange.rawValue)"
        }
        let isWhole =
            "\(cell) >= -9223372036854775808.0 AND \(cell) < 9223372036854775808.0 AND \(cell) = CAST(\(cell) AS INTEGER)"
        return "CASE typeof(\(cell)) WHEN 'null' THEN 0 WHEN 'integer' THEN \(beyond ?? "0") WHEN 'real' THEN "
            + "CASE WHEN \(isWhole) THEN \(beyond ?? "0") ELSE \(Fault.unreadable.rawValue) END "
            + "ELSE \(Fault.unreadable.rawValue) END"
    }

    /// Reals of a size that a decimal has for certain are not asked about further.
    private static func decimalVerdict(_ cell: String) -> String {
        "CASE typeof(\(cell)) WHEN 'null' THEN 0 WHEN 'integer' THEN 0 WHEN 'blob' THEN \(Fault.unreadable.rawValue) "
            + "WHEN 'real' THEN CASE WHEN \(cell) = 0 OR abs(\(cell)) BETWEEN 1e-100 AND 1e100 THEN 0 ELSE \(cell) END "
            + "ELSE \(cell) END"
    }

    /// Whatever the cell is, its bytes are read, the first of them as a tag. Whether a file that it names is there is
    /// another question.
    private static func tagVerdict(_ cell: String) -> String {
        "\(cell) IS NOT NULL AND coalesce(substr(CAST(\(cell) AS BLOB), 1, 1), x'') NOT IN (x'01', \(ExternalData.fileTagLiteral))"
    }
}
