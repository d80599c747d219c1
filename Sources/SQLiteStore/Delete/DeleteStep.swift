import Foundation
import ObjectGraph
import StoreSQL

/// One statement of a delete with its parameters: a value, so that a plan can be printed before it is carried out.
package struct DeleteStep: Sendable, Hashable {
    package let sql: String
    /// The number of rows that the statement is meant for; `nil` if they are not counted.
    package let rowCount: Int?
    let parameters: [Parameter]

    enum Parameter: Sendable, Hashable {
        /// Bound as a table of keys.
        case list(KeySet)
        /// Bound as a set that is tested for each row.
        case filter(KeySet)
    }

    init(_ sql: String, _ parameters: [Parameter], rowCount: Int?) {
        self.sql = sql
        self.parameters = parameters
        self.rowCount = rowCount
    }

    func run(_ connection: Connection) throws {
        try connection.withStatement(sql) { statement in
            try statement.bind(parameters)
            try statement.run()
        }
    }
}

/// A condition that selects the rows of a key set by one column.
struct KeyCondition {
    let sql: String
    let hint: String
    let parameters: [DeleteStep.Parameter]

    /// - Parameter isPart: Whether the set is a part of a larger one, so that the condition needs a key range.
    init(_ column: String, _ keys: KeySet, _ strategy: DeleteStrategy, isPart: Bool = false) {
        switch strategy {
        case .lookUp:
            sql = " WHERE \(column) IN \(SQLNames.listedValues)"
            hint = ""
            parameters = [.list(keys)]
        case .scan:
            let range = isPart ? " AND \(column) BETWEEN \(keys.first ?? 0) AND \(keys.last ?? 0)" : ""
            sql = " WHERE \(SQLNames.hasKey)(?, \(column))\(range)"
            hint = " NOT INDEXED"
            parameters = [.filter(keys)]
        case .truncate:
            sql = ""
            hint = ""
            parameters = []
        }
    }
}

extension Statement {
    /// Binds the parameters in order, starting at index 1.
    func bind(_ parameters: [DeleteStep.Parameter]) throws {
        for (index, parameter) in parameters.enumerated() {
            switch parameter {
            case .list(let keys): try bind(ValueList(keys.keys), at: index + 1)
            case .filter(let keys): try bind(KeyFilter(keys), at: index + 1)
            }
        }
    }
}
