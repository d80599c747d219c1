import Foundation

/// A cell of a row, and a value bound to a statement.
package enum Cell: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)
}

extension Cell {
    package var storageClass: String {
        switch self {
        case .null: "NULL"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .bytes: "BLOB"
        }
    }
}
