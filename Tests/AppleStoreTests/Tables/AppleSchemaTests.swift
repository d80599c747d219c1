import Foundation
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport
import Testing

@testable import AppleFormats
@testable import SQLiteStore

@Suite("Tables of Apple's files", .realFiles)
struct AppleSchemaTests {
    @Test("Tables are created as in the file, in its order", arguments: RealFile.all)
    func tables(store: RealFile) throws {
        try compare(store, type: "table") { $0.hasPrefix("CREATE TABLE") }
    }

    /// Models from before fetch indexes mark attributes as indexed; our models do not keep these marks.
    @Test("Indexes are created as in the file, in its order", arguments: RealFile.all)
    func indexes(store: RealFile) throws {
        try compare(store, type: "index", except: try indexesOfMarkedAttributes(store)) {
            $0.hasPrefix("CREATE INDEX") || $0.hasPrefix("CREATE UNIQUE INDEX")
        }
    }

    private func indexesOfMarkedAttributes(_ store: RealFile) throws -> Set<String> {
        let content = try store.withCopy { try #require(try ModelCache.content($0)) }
        let facts = try #require(ArchiveFacts(try PropertyList(binary: try Inflate.expand(content))))
        // If a model has fetch indexes, the marks only repeat them.
        guard facts.values["NSEntityDescription NSFetchIndexDescriptions"] == nil else { return [] }
        let model = try store.model()
        let map = StorageMap(model)
        func column(_ entity: String, _ attribute: String) throws -> (table: String, name: String) {
            let entity = try #require(model.entity(named: entity))
            let slot = try #require(entity.attribute(named: attribute)).slots.lowerBound
            let storage = map.entities[entity.index]
            return (storage.table, try #require(storage.columns[slot]).name)
        }
        var found: Set<String> = []
        for text in facts.values["NSAttributeDescription NSIsIndexed"] ?? [] where text.hasSuffix(" = true") {
            let path = text.dropLast(" = true".count).split(separator: ".").map(String.init)
            let column = try column(path[0], path[1])
            found.insert("CREATE INDEX \(column.table)_\(column.name)_INDEX ON \(column.table) (\(column.name))")
        }
        for text in facts.values["NSEntityDescription NSCompoundIndexes"] ?? [] {
            let entity = String(text.prefix { $0 != " " })
            // Names are the parts between quotation marks; each entity of these models has one such index.
            let names = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            let columns = try names.map { try column(entity, $0) }
            guard let table = columns.first?.table else { continue }
            let list = columns.map(\.name)
            found.insert(
                "CREATE INDEX \(table)_\(list.joined(separator: "_")) ON \(table) (\(list.joined(separator: ", ")))")
        }
        return found
    }

    /// Apple's migrations leave them out.
    @Test("Triggers of derived counts are created as in the file, in its order")
    func triggers() throws {
        let derived = try RealFile.all.filter { store in
            try store.withCopy { try !schema($0, type: "trigger").isEmpty }
        }
        #expect(!derived.isEmpty)
        for store in derived { try compare(store, type: "trigger") { $0.hasPrefix("CREATE TRIGGER") } }
    }

    private func compare(
        _ store: RealFile, type: String, except others: Set<String> = [], _ isWanted: (String) -> Bool
    ) throws {
        try store.withCopy { connection in
            let model = try #require(try ModelCache.model(connection))
            let tables = try FileTables(connection)
            let statements = SchemaLayout(model).schemaStatements(tables.hasHistory ? .with : .without)
            let ours = statements.filter(isWanted).map(normalized)
            let theirs = try schema(connection, type: type)
            #expect(!theirs.isEmpty)
            #expect(others.isSubset(of: theirs))
            let expected = theirs.filter { !others.contains($0) }
            if try hasOurOrder(connection, model) {
                #expect(ours == expected)
            } else {
                #expect(ours.map(withoutPlaces).sorted() == expected.map(withoutPlaces).sorted())
            }
        }
    }

    /// The first framework build that orders columns and tables as this library does; older ones put order columns after all
    /// integers of a table, and order join tables differently.
    private static let firstOfOurOrder: Int64 = 1044

    /// Apple's migrations recreate the tables that they change, after the system tables.
    private func hasOurOrder(_ connection: Connection, _ model: Model) throws -> Bool {
        guard try StoreMetadata(connection).frameworkVersion ?? 0 >= Self.firstOfOurOrder else { return false }
        let names = try schema(connection, type: "table").map { $0.split(separator: " ")[2] }
        let own = Set(StorageMap(model).entities.map(\.table))
        let metadata = try #require(names.firstIndex(of: "Z_METADATA"))
        return names[metadata...].allSatisfy { !own.contains(String($0)) }
    }

    /// A table's statement with its columns sorted: Apple's migrations add columns at the end.
    private func withoutPlaces(_ statement: String) -> String {
        guard statement.hasPrefix("CREATE TABLE"), let start = statement.firstIndex(of: "(") else { return statement }
        return statement[..<start]
            + statement[start...].dropFirst().components(separatedBy: ", ").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " )"))
            }.sorted().joined(separator: ", ")
    }

    @Test("SQLite accepts the created schema, and stores it as in Apple's file", arguments: RealFile.all)
    func creation(store: RealFile) throws {
        let model = try store.model()
        let connection = try Connection(.memory, access: .create)
        let statements = SchemaLayout(model).schemaStatements(.with)
        for statement in statements { try connection.execute(statement) }
        let made = try ["table", "index", "trigger"].flatMap { try schema(connection, type: $0) }
        #expect(Set(made) == Set(statements.map(normalized)))
    }

    @Test("The map of the model fits the file", arguments: RealFile.all)
    func adjustedMap(store: RealFile) throws {
        try store.withCopy { connection in
            let model = try #require(try ModelCache.model(connection))
            let map = StorageMap(model)
            let adjusted = try map.adjusted(
                to: try FileTables(connection), rows: try PrimaryKeyTable.rows(connection))
            for (expected, found) in zip(map.entities, adjusted.entities) {
                #expect(expected.table == found.table)
                #expect(expected.columns == found.columns)
                #expect(expected.toMany == found.toMany)
                #expect(expected.entityNumber == found.entityNumber)
                #expect(expected.familyNumbers == found.familyNumbers)
                #expect(expected.uniqueColumns == found.uniqueColumns)
            }
            #expect(adjusted.entityIndexByNumber == map.entityIndexByNumber)
        }
    }

    @Test("Each cell of each row has its column's type", arguments: RealFile.all)
    func cells(store: RealFile) throws {
        try store.withCopy { connection in
            let model = try #require(try ModelCache.model(connection))
            let map = try StorageMap(model).adjusted(to: try FileTables(connection))
            var count = 0
            for entity in map.entities {
                for column in entity.columns.compactMap({ $0 }) {
                    let sql = "SELECT \(column.name) FROM \(entity.table) WHERE Z_ENT = \(entity.entityNumber)"
                    try connection.withStatement(sql) { statement in
                        while try statement.step() {
                            let cell = storedCell(statement)
                            let value = try ColumnCodec.value(of: cell, column.type)
                            let again = try ColumnCodec.value(of: ColumnCodec.cell(of: value, column.type), column.type)
                            #expect(again == value, "\(entity.table).\(column.name)")
                            count += 1
                        }
                    }
                }
            }
            #expect(count > 0)
        }
    }

    @Test("Storage of relationships is as the format describes")
    func places() throws {
        let cocktails = StorageMap(try RealFile("cocktails/Cocktails.store").model())
        #expect(
            try storage(cocktails, "Cocktail", "garnish")
                == .joinTable(
                    name: "Z_1GARNISH", ownerColumn: "Z_1COCKTAILS", memberColumn: "Z_2GARNISH", orderColumn: nil))
        #expect(
            try storage(cocktails, "Garnish", "cocktails")
                == .joinTable(
                    name: "Z_1GARNISH", ownerColumn: "Z_2GARNISH", memberColumn: "Z_1COCKTAILS", orderColumn: nil))
        #expect(
            try storage(cocktails, "Cocktail", "spec")
                == .foreignKey(
                    table: "ZINGREDIENT", column: "Z1SPEC", ownerNumberColumn: nil, orderColumn: nil, ownsColumn: true))
        let books = StorageMap(try RealFile("coredataplus/SampleModel2_V1.sqlite").model())
        #expect(
            try storage(books, "GraphicNovel", "pages")
                == .foreignKey(
                    table: "ZPAGE", column: "ZBOOK", ownerNumberColumn: "Z1_BOOK", orderColumn: nil, ownsColumn: false))
        let novel = try #require(books.model.entity(named: "GraphicNovel"))
        #expect(books.entities[novel.index].familyNumbers == [2])
        #expect(books.entities[novel.index].rootNumber == 1)
        #expect(books.entities[novel.index].uniqueColumns == [["ZUNIQUEID"]])
    }

    private func storage(_ map: StorageMap, _ entityName: String, _ name: String) throws -> ToManyStorage? {
        let entity = try #require(map.model.entity(named: entityName))
        return map.entities[entity.index].toMany[try #require(entity.relationship(named: name)).index]
    }
}

/// The first cell of a row, as SQLite has it.
private func storedCell(_ statement: Statement) -> Cell {
    switch statement.kind(at: 0) {
    case .null: .null
    case .integer: .integer(statement.integer(at: 0))
    case .real: .real(statement.real(at: 0))
    case .text: .text(statement.text(at: 0))
    case .blob: .bytes(statement.bytes(at: 0))
    }
}
