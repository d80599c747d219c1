import Foundation

/// One cell of a row: what an attribute's leaf or a to-one relationship holds, whatever face reads it.
///
/// A composite attribute (a `Codable` struct, an enum) has one value per leaf, not one nested value, so that a
/// value maps to exactly one column. Dates are `.real` seconds since 2001-01-01 UTC, Booleans `.integer` 0 or 1, URLs
/// `.text`: the attribute's type says how to read them.
package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)
    case uuid(UUID)
    indirect case decimal(Decimal)
    case reference(ObjectID)

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
