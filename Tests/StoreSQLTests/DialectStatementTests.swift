import StoreSQL
import Testing

@testable import ObjectGraph

/// The statements of saves, deletes and history in a dialect that is not SQLite's.
@Suite("Statements that write, in another dialect")
struct DialectStatementTests {
    @Test("rows are inserted, updated and compared by numbered parameters")
    func rows() throws {
        let library = try Library()
        let plan = WritePlan(entityIndex: library.index("Reader"), map: library.map, dialect: library.dialect)
        #expect(plan.insertText == #"INSERT INTO "ZREADER" (Z_PK, Z_ENT, Z_OPT, "ZNAME") VALUES ($1, 4, 1, $2)"#)
        #expect(plan.insertNextText == #"INSERT INTO "ZREADER" (Z_ENT, Z_OPT, "ZNAME") VALUES (4, 1, $2)"#)
        let update = plan.updateText(plan.columns, guarded: true)
        #expect(update.hasPrefix(#"UPDATE "ZREADER" SET "ZNAME" = $1, Z_OPT = "#))
        #expect(update.hasSuffix(" WHERE Z_PK = $2 AND CAST(coalesce(Z_OPT, 0) AS INTEGER) = $3"))
        #expect(
            plan.upsertText([])
                == #"""
                INSERT INTO "ZREADER" (Z_PK, Z_ENT, Z_OPT, "ZNAME") VALUES ($1, 4, 1, $2) ON CONFLICT DO NOTHING \#
                RETURNING Z_PK, Z_ENT
                """#)
        #expect(plan.clearText(["ZNAME"]) == #"UPDATE "ZREADER" SET "ZNAME" = NULL WHERE Z_PK = $1"#)
        #expect(plan.selectText(["ZNAME"]) == #"SELECT "ZNAME" FROM "ZREADER" WHERE Z_PK = $1"#)
    }

    @Test("links that exist are not inserted again")
    func links() throws {
        let library = try Library()
        let reader = try #require(library.model.entity(named: "Reader"))
        let position = try #require(reader.relationship(named: "books")).index
        let texts = try #require(
            LinkTexts(position, of: reader, ownerNumber: 4, .unknown, library.map, dialect: library.dialect))
        #expect(
            texts.link == #"""
                INSERT INTO "Z_2READERS" ("Z_4READERS", "Z_2BOOKS") SELECT $1, $2 \#
                WHERE EXISTS (SELECT 1 FROM "ZBOOK" WHERE Z_PK = $2) \#
                AND EXISTS (SELECT 1 FROM "ZREADER" WHERE Z_PK = $1) ON CONFLICT DO NOTHING
                """#)
        #expect(texts.unlink == #"DELETE FROM "Z_2READERS" WHERE "Z_4READERS" = $1 AND "Z_2BOOKS" = $2"#)
        #expect(texts.reorder == nil)
    }

    private struct Sizes: TableSizes {
        func highestKey(of table: String) -> Int64 { 10 }
        func rowCount(of table: String) -> Int64 { 10 }
    }

    private func steps(_ plan: DeletePlan, _ forced: DeleteStrategy?, _ library: Library) throws -> [String] {
        let strategist = DeleteStrategist(sizes: Sizes(), forced: forced)
        let steps = DeleteSteps(
            map: library.map, spaces: library.spaces, strategist: strategist, dialect: library.dialect)
        return try steps.steps(for: plan).map { $0.text.rendered(for: library.dialect) }
    }

    @Test("a delete names its rows by arrays, whatever the strategy")
    func deletes() throws {
        let library = try Library()
        var plan = DeletePlan()
        plan.deleted.insert(KeySet([2, 5]), in: library.spaces.spaces[library.index("Reader")])
        plan.reaches = [CascadePath(entity: "Reader", via: nil, count: 2)]
        let rows = [
            #"DELETE FROM "Z_2READERS" WHERE "Z_4READERS" = ANY($1)"#, #"DELETE FROM "ZREADER" WHERE Z_PK = ANY($1)"#,
        ]
        #expect(try steps(plan, .lookUp, library) == rows)
        #expect(try steps(plan, .scan, library) == rows)
        let queries = DeleteQueries(library.dialect)
        #expect(
            queries.rows(["Z_PK"], of: "ZAUTHOR", referredToBy: "ZAUTHOR", in: "ZBOOK").rendered(for: library.dialect)
                == #"SELECT Z_PK FROM "ZAUTHOR" WHERE Z_PK IN (SELECT "ZAUTHOR" FROM "ZBOOK")"#)
        #expect(
            queries.links(of: "ZBOOK", owner: "ZAUTHOR", member: "Z_PK", to: KeySet([1])).rendered(for: library.dialect)
                == #"SELECT "ZAUTHOR", Z_PK FROM "ZBOOK" WHERE Z_PK = ANY($1) AND "ZAUTHOR" IS NOT NULL"#)
    }

    @Test("changes of many rows are inserted from a numbered list")
    func historyInsertions() throws {
        let insertions = HistoryInsertions(NumberedDialect())
        #expect(
            insertions.change == """
                INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
                VALUES ($1, 16001, $2, $3, $4, $5, $6)
                """)
        #expect(
            insertions.changes(.given, tombstones: nil) == """
                INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
                SELECT $1 + (v.place - 1), 16001, $2, $3, v.key, $4, $5 \
                FROM unnest($6) WITH ORDINALITY AS v(key, place)
                """)
        #expect(
            insertions.changes(.next).hasSuffix(
                "SELECT 16001, $2, $3, v.key, $5, $6 FROM unnest($4) WITH ORDINALITY AS v(key, place)"))
    }

    @Test("history is read and pruned by numbered parameters")
    func historyQueries() throws {
        let library = try Library()
        let queries = HistoryQueries(map: library.map, tables: FileTables([:]), dialect: library.dialect)
        let test = HistoryTest.and([.constant(true), .text(.author, is: "A"), .time(.less, 3)])
        #expect(
            queries.numbers(where: test, storeIdentifier: "LIBRARY").rendered(for: library.dialect) == """
                SELECT t.Z_PK FROM ATRANSACTION AS t WHERE ((TRUE) AND (NULL IS NOT DISTINCT FROM $1) \
                AND (coalesce(t.ZTIMESTAMP, 0) < $2)) ORDER BY t.Z_PK
                """)
        #expect(
            queries.pruning(KeySet([4])).map { $0.rendered(for: library.dialect) } == [
                "DELETE FROM ACHANGE WHERE ZTRANSACTIONID = ANY($1)", "DELETE FROM ATRANSACTION WHERE Z_PK = ANY($1)",
            ])
        #expect(
            queries.keys(after: 1, through: 2).rendered(for: library.dialect).hasSuffix(
                "WHERE ZTRANSACTIONID > $1 AND ZTRANSACTIONID <= $2 ORDER BY ZTRANSACTIONID, Z_PK"))
    }
}
