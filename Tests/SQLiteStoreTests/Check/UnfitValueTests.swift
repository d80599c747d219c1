import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Checking cells")
struct UnfitValueTests {
    /// Cells of every storage class, at and beside every limit of a type.
    private static let literals: [String] =
        [
            "NULL", "0", "1", "-1", "12", "32767", "32768", "-32768", "-32769", "2147483647", "2147483648",
            "-2147483648",
            "-2147483649", "9223372036854775807", "-9223372036854775808", "0.0", "2.0", "0.5", "-1.5", "40000.0",
            "3000000000.0", "9223372036854774784.0", "9223372036854775808.0", "-9223372036854775808.0",
            "-9223372036854777856.0", "1e18", "1e19", "0.1", "3.3333333333", "1e99", "1e100", "1.5e100", "1e127",
            "1e130",
            "1e145", "1e166", "1e200", "1.7976931348623157e308", "-1e300", "1e-99", "1e-100", "1.5e-101", "1e-128",
            "1e-145", "1e-300", "4.9e-324", "1e999", "-1e999", "''", "'abc'", "'12'", "'12abc'", "' 12'", "'1.5'",
            "'0.10'", "'1e400'", "'NaN'", "'-'", "'2020-01-01'", "'YES'", "'4B6D2E7A-1C3F-4D5E-8F90-A1B2C3D4E5F6'",
            "'4b6d2e7a-1c3f-4d5e-8f90-a1b2c3d4e5f6'", "'4B6D2E7A1C3F4D5E8F90A1B2C3D4E5F6'", "'0123456789abcdef'",
            "' 4B6D2E7A-1C3F-4D5E-8F90-A1B2C3D4E5F6'", "'4B6D2E7A-1C3F-4D5E-8F90-A1B2C3D4E5F6x'", "x''", "x'0102'",
            "x'00112233445566778899aabbccddeeff'", "x'00112233445566778899aabbccddeeff00'", "zeroblob(16)",
            "char(1) || 'a'", "char(2) || 'a'", "x'01'", "x'02'", "x'03'",
        ]

    @Test(
        "a cell is reported as unreadable exactly when the codec refuses it",
        arguments: AttributeType.allCases.filter { $0 != .composite })
    func agreesWithCodec(type: AttributeType) throws {
        let zoo = try ZooStore()
        try zoo.store.pool.withWriter { connection in
            for literal in Self.literals {
                let sql = "SELECT c, \(StoredCells.verdict("c", type)) FROM (SELECT \(literal) AS c)"
                let (cell, verdict) = try connection.withStatement(sql) { statement in
                    _ = try statement.step()
                    return (statement.cell(at: 0), statement.cell(at: 1))
                }
                let value = try? ColumnCodec.value(of: cell, type)
                let expected: StoredCells.Fault? =
                    switch (value, type) {
                    case (nil, _): .unreadable
                    case (.integer(let number)?, .integer16) where Int16(exactly: number) == nil: .outOfRange
                    case (.integer(let number)?, .integer32) where Int32(exactly: number) == nil: .outOfRange
                    default: nil
                    }
                #expect(StoredCells.fault(verdict, type) == expected, "\(type) of \(literal)")
            }
        }
    }

    @Test("a large value's cell is reported as unreadable exactly when it has no tag")
    func agreesWithTags() throws {
        let zoo = try ZooStore()
        try zoo.store.pool.withWriter { connection in
            for literal in Self.literals where literal != "NULL" {
                let sql =
                    "SELECT CAST(c AS BLOB), \(StoredCells.verdict("c", .binary, isExternal: true)) "
                    + "FROM (SELECT \(literal) AS c)"
                let (bytes, verdict) = try connection.withStatement(sql) { statement in
                    _ = try statement.step()
                    return (statement.bytes(at: 0), statement.cell(at: 1))
                }
                var isRead = true
                do throws(ExternalDataError) { _ = try ExternalData.content(of: bytes) } catch {
                    if case .unknownTag = error { isRead = false }
                }
                #expect((StoredCells.fault(verdict, .binary) == nil) == isRead, "\(literal)")
            }
        }
    }

    @Test("in a file, each attribute with unreadable cells is reported, with rows and without values")
    func inFile() throws {
        let zoo = try ZooStore()
        try zoo.save { changes in
            for _ in 0..<7 { changes.insertions.append(try zoo.insertion("Everything", [:])) }
        }
        try zoo.damage(
            "UPDATE ZEVERYTHING SET ZSMALL = 70000, ZPRICE = 'secret' WHERE Z_PK > 1",
            "UPDATE ZEVERYTHING SET ZMEDIUM = 1.5, ZTOKEN = x'0102', ZMOMENT = 'secret', ZPICTURE = x'03' WHERE Z_PK = 2",
            "UPDATE ZEVERYTHING SET ZMEDIUM = 99999999999, ZTOKEN = 'secret', ZRATIO = 'secret' WHERE Z_PK = 3",
            "UPDATE ZEVERYTHING SET ZTITLE = x'01', ZLINK = x'01', ZFLAG = 0.5, ZLARGE = 'secret' WHERE Z_PK = 4")
        let found = try zoo.store.check().map {
            "\($0.severity) \($0.kind) \($0.place) \($0.count) \($0.examples.map(\.key))"
        }
        #expect(
            Set(found) == [
                "error valueOutOfRange Everything.small 6 [2, 3, 4, 5, 6]",
                "error unreadableValue Everything.price 6 [2, 3, 4, 5, 6]",
                "error unreadableValue Everything.medium 1 [2]", "error valueOutOfRange Everything.medium 1 [3]",
                "error unreadableValue Everything.token 2 [2, 3]", "error unreadableValue Everything.moment 1 [2]",
                "error unreadableValue Everything.picture 1 [2]", "error unreadableValue Everything.ratio 1 [3]",
                "error unreadableValue Everything.title 1 [4]", "error unreadableValue Everything.link 1 [4]",
                "error unreadableValue Everything.flag 1 [4]", "error unreadableValue Everything.large 1 [4]",
            ])
        let plan = try zoo.store.repairPlan()
        #expect(plan.isEmpty)
        #expect(plan.unrepairable.count == found.count && plan.unrepairable.allSatisfy { $0.reason == .valueUnfit })
        #expect(!plan.description.contains("secret"))
    }

    @Test("a column is checked only in rows of the entities that have it")
    func otherEntities() throws {
        let zoo = try ZooStore()
        try zoo.save { changes in
            changes.insertions += [try zoo.insertion("Keeper", [:]), try zoo.insertion("Doctor", [:])]
        }
        try zoo.damage("UPDATE ZPERSON SET ZBADGE = 'none'")
        let found = try zoo.store.check()
        #expect(found.map(\.kind) == [.unreadableValue])
        #expect(found.map(\.place) == ["Keeper.badge"] && found.map(\.count) == [1])
    }

    @Test("each table is read once, however many of its columns are checked")
    func statements() throws {
        let zoo = try ZooStore()
        _ = try zoo.store.check()
        let about = zoo.log.statements.filter { $0.contains("typeof") && $0.contains("FROM ZEVERYTHING") }
        #expect(about.count == 1)
    }

    // MARK: Uniqueness

    private func zooWithCategories() throws -> ZooStore {
        let zoo = try ZooStore()
        try zoo.save { changes in
            for number in 1...8 {
                changes.insertions.append(try zoo.insertion("Category", ["name": .text("Category \(number)")]))
            }
        }
        return zoo
    }

    @Test("a constraint without its index is reported, as are equal rows; neither is repaired")
    func uniqueness() throws {
        let zoo = try zooWithCategories()
        #expect(try zoo.store.check() == [])
        try zoo.damage("DROP INDEX Z_Category_UNIQUE_name")
        let missing = StoreFinding(.missingUniqueIndex, .warning, entity: "Category", property: "name", count: 1)
        #expect(try zoo.store.check() == [missing])
        try zoo.damage(
            "UPDATE ZCATEGORY SET ZNAME = 'dup' WHERE Z_PK IN (3, 4)",
            "UPDATE ZCATEGORY SET ZNAME = 'two' WHERE Z_PK IN (5, 8)")
        let rows = try [3, 4, 5, 8].map { try zoo.id("Category", $0) }
        let equal = StoreFinding(.equalRows, .error, entity: "Category", property: "name", count: 4, examples: rows)
        #expect(try zoo.store.check() == [equal, missing])
        let plan = try zoo.store.repairPlan()
        #expect(plan.isEmpty && plan.unrepairable.map(\.reason) == [.rowsEqual, .indexMissing])
        #expect(equal.description.hasPrefix("error: 'Category.name' of 4 rows must be unique and is not: x-coredata"))
    }

    @Test("a non-unique or partial index does not enforce a constraint; NULLs are equal to nothing")
    func otherIndexes() throws {
        let zoo = try zooWithCategories()
        try zoo.damage(
            "DROP INDEX Z_Category_UNIQUE_name", "CREATE INDEX plain ON ZCATEGORY (ZNAME)",
            "CREATE UNIQUE INDEX partial ON ZCATEGORY (ZNAME) WHERE Z_PK > 2",
            "UPDATE ZCATEGORY SET ZNAME = NULL WHERE Z_PK IN (3, 4)")
        #expect(try zoo.store.check().map(\.kind) == [.missingValue, .missingUniqueIndex])
        try zoo.damage("CREATE UNIQUE INDEX other ON ZCATEGORY (ZNAME)")
        #expect(try zoo.store.check().map(\.kind) == [.missingValue])
    }
}
