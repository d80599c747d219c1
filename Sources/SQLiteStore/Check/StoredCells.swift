import ObjectGraph
import StoreSQL

/// The cells of one attribute, or of one part of a composite attribute, with an SQL expression that tests each cell:
/// whether `ColumnCodec` can decode it, and whether the value is within the range of its type.
struct StoredCells: Sendable {
    /// The entity that declares the attribute.
    let entity: Entity
    let property: String
    let table: String
    let column: String
    let type: AttributeType
    let isExternal: Bool
    /// The entity numbers of rows that have the attribute. In other rows the column is unused.
    let rowNumbers: [Int]

    enum Fault: Int64, Sendable, Hashable, CaseIterable {
        case unreadable = 1
        case outOfRange = 2
    }

    /// An SQL expression over a row `r`. Its result is 0, the number of a fault, or, if only `ColumnCodec` can decide,
    /// the cell itself (a text or a real).
    var verdict: String {
        "CASE WHEN r.\(SystemTables.entityColumn) IN \(SQLList(rowNumbers)) "
            + "THEN \(Self.verdict("r.\(column)", type, isExternal: isExternal)) ELSE 0 END"
    }

    /// - Parameter verdict: The result of the SQL expression.
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

    /// A real is valid if it is whole and fits into 64 bits.
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

    /// Reals within the certain range of a decimal need no further test.
    private static func decimalVerdict(_ cell: String) -> String {
        "CASE typeof(\(cell)) WHEN 'null' THEN 0 WHEN 'integer' THEN 0 WHEN 'blob' THEN \(Fault.unreadable.rawValue) "
            + "WHEN 'real' THEN CASE WHEN \(cell) = 0 OR abs(\(cell)) BETWEEN 1e-100 AND 1e100 THEN 0 ELSE \(cell) END "
            + "ELSE \(cell) END"
    }

    /// The codec reads the cell's bytes whatever its type, the first of them as a tag. Whether a referenced file exists
    /// is tested elsewhere.
    private static func tagVerdict(_ cell: String) -> String {
        "\(cell) IS NOT NULL AND coalesce(substr(CAST(\(cell) AS BLOB), 1, 1), x'') NOT IN (x'01', \(ExternalData.fileTagLiteral))"
    }
}
