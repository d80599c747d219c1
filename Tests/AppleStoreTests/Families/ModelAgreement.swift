import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore
@testable import SwiftData

extension PersistentModel {
    /// The primary key of the model's row.
    var key: Int64 { persistentModelID.objectID.key }
}

/// The expected value of a model in one column of its row.
enum ExpectedCell: Equatable {
    case cell(Cell)
    /// A number of either storage class.
    case number(Double?)
    /// JSON, in which neither the order of keys nor white space is compared.
    case json(Data?)

    static func json(of value: (some Encodable)?) throws -> ExpectedCell {
        .json(try value.map { try JSONEncoder().encode($0) })
    }

    func matches(_ found: Cell?) -> Bool {
        switch self {
        case .cell(let cell): found == cell
        case .number(let number): number == nil ? found == .null : found?.number == number
        case .json(let json): json == nil ? found == .null : Self.canonical(json) == Self.canonical(found?.data)
        }
    }

    private static func canonical(_ json: Data?) -> Data? {
        guard let json, let object = try? JSONSerialization.jsonObject(with: json) else { return nil }
        return try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    }
}

/// Compares the models of one class (and its subclasses) with the rows of their table: the same rows, and in each row every column.
struct ModelAgreement<Model: PersistentModel> {
    let table: String
    /// The expected entity number of a model's row.
    let entityNumber: (Model) -> Int64
    let columns: (Model) throws -> [String: ExpectedCell]

    /// - Returns: the models, to check their to-many relationships.
    @discardableResult
    func expect(_ context: ModelContext, _ contents: StoreContents) throws -> [Model] {
        let models = try context.fetch(FetchDescriptor<Model>())
        let rows = contents.rows(table)
        #expect(models.map(\.key) == rows.keys.sorted(), "\(table): every row, in key order")
        #expect(try context.fetchCount(FetchDescriptor<Model>()) == rows.count)
        let ignored: Set = ["Z_PK", "Z_ENT", "Z_OPT", ForeignMatter.column]
        for model in models {
            let row = try #require(rows[model.key])
            let expected = try columns(model)
            #expect(Set(expected.keys) == Set(row.keys).subtracting(ignored), "\(table): every column is compared")
            for (column, cell) in expected where !cell.matches(row[column]) {
                let found = row[column].map { "\($0)" } ?? "nothing"
                Issue.record("\(table).\(column) of row \(model.key): the file has \(found), the model \(cell)")
            }
            #expect(row["Z_ENT"] == .integer(entityNumber(model)), "\(table) row \(model.key)")
        }
        return models
    }
}

extension ModelAgreement {
    init(_ table: String, entity: Int64, columns: @escaping (Model) throws -> [String: ExpectedCell]) {
        self.init(table: table, entityNumber: { _ in entity }, columns: columns)
    }
}
