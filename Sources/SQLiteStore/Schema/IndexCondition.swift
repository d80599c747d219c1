import Foundation
import ObjectGraph
import PredicateFormat
import StoreSQL

/// Translates the condition of a partial index to SQL without parameters or custom functions: every program that opens
/// the file must be able to decide whether a row belongs to the index.
enum IndexCondition {
    /// - Parameter predicate: The condition in the predicate format.
    /// - Returns: `nil` for a predicate that cannot be parsed, or that is more than comparisons of the row's own
    ///   attributes with constants.
    static func sql(_ predicate: String, on entity: Entity, _ map: StorageMap) -> String? {
        guard let format = try? PredicateFormat(parsing: predicate),
            let expression = try? format.expression(on: entity, in: map.model), expression.isOfOwnColumns
        else { return nil }
        // Columns are qualified by their table; the qualifiers are removed from the result.
        let table = map.entities[entity.index].table
        var translation = ExpressionSQL(
            map: map, spaces: EntitySpaces(model: map.model, storeIdentifier: ""), dialect: SQLiteDialect())
        translation.openScope(from: SQLText(table), aliases: [table])
        translation.bind(.root, to: translation.object(entityIndex: entity.index, alias: table))
        return (try? translation.filter(expression))?.standingAlone(without: "\(table).")
    }
}

extension QueryExpression {
    /// Whether the expression only compares attributes of the object itself with constants.
    fileprivate var isOfOwnColumns: Bool {
        switch self {
        case .constant: true
        case .compare(_, let left, let right): left.isOwnColumnOrLiteral && right.isOwnColumnOrLiteral
        case .isMember(let value, _): value.isOwnColumnOrLiteral
        case .text(let test, let text, .literal): test == .beginsWith && text.isOwnColumnOrLiteral
        case .and(let parts), .or(let parts): parts.allSatisfy(\.isOfOwnColumns)
        case .not(let inner): inner.isOfOwnColumns
        default: false
        }
    }

    private var isOwnColumnOrLiteral: Bool {
        switch self {
        case .attribute(.variable(.root), _), .literal: true
        default: false
        }
    }
}

extension SQLText {
    /// Returns the text with literals in place of parameters; `nil` if a value has no literal.
    fileprivate func standingAlone(without qualifier: String) -> String? {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let part): text += part.replacingOccurrences(of: qualifier, with: "")
            case .parameter(let cell):
                guard let literal = cell.literal else { return nil }
                text += literal
            case .list, .keys, .filter: return nil
            }
        }
        return text
    }
}

extension Cell {
    fileprivate var literal: String? {
        switch self {
        case .null: "NULL"
        case .integer(let integer): String(integer)
        // The shortest text of the number; SQLite has no literal for infinite values and NaN.
        case .real(let real): real.isFinite ? "\(real)" : nil
        case .text(let text):
            text.utf8.contains(0) ? nil : "'\(text.replacingOccurrences(of: "'", with: "''"))'"
        case .bytes(let data): "X'\(data.map { String(format: "%02X", $0) }.joined())'"
        }
    }
}
