import ObjectGraph
import StoreSQL
import Testing

/// Statements in a dialect that is not SQLite's.
@Suite("Statements in another dialect")
struct DialectTests {
    @Test("values have numbered placeholders, names are quoted, lists are arrays")
    func placeholders() throws {
        let library = try Library()
        let title = library.attribute("Book", "title")
        let predicate = QueryExpression.and([
            .isMember(library.attribute("Book", "pages"), of: [.integer(1), .integer(2)]),
            .or([.compare(.equal, title, .literal(.text("A"))), .text(.beginsWith, title, .literal(.text("B")))]),
        ])
        #expect(
            try library.text(library.query("Book", predicate))
                == #"""
                "ZBOOK" t0 WHERE t0."ZPAGES" = ANY($1) \#
                AND ((t0."ZTITLE" = $2) OR ((t0."ZTITLE" >= $3 AND t0."ZTITLE" < $4))) ORDER BY t0.Z_PK
                """#)
    }

    @Test("tests are Booleans, also as values; NULL is compared in words")
    func tests() throws {
        let library = try Library()
        let (title, pages) = (library.attribute("Book", "title"), library.attribute("Book", "pages"))
        let isLong = QueryExpression.compare(.greater, pages, .literal(.integer(9)))
        #expect(
            try library.text(library.query("Book", .not(isLong)))
                == #""ZBOOK" t0 WHERE NOT (coalesce(t0."ZPAGES" > $1, FALSE)) ORDER BY t0.Z_PK"#)
        #expect(
            try library.text(library.query("Book", .compare(.equal, isLong, .literal(.integer(1)))))
                == #"""
                "ZBOOK" t0 WHERE CASE WHEN coalesce(t0."ZPAGES" > $1, FALSE) THEN 1 ELSE 0 END = $2 ORDER BY t0.Z_PK
                """#)
        #expect(
            try library.text(library.query("Book", .compare(.notEqual, title, .literal(.text("A")))))
                == #""ZBOOK" t0 WHERE t0."ZTITLE" IS DISTINCT FROM $1 ORDER BY t0.Z_PK"#)
        #expect(
            try library.text(library.query("Book", .isMember(title, of: [])))
                == #""ZBOOK" t0 WHERE FALSE ORDER BY t0.Z_PK"#)
        #expect(
            try library.text(library.query("Book", .text(.contains, title, .literal(.text("A")))))
                == #""ZBOOK" t0 WHERE position($1 IN t0."ZTITLE") > 0 ORDER BY t0.Z_PK"#)
    }

    @Test("links are followed by quoted keys, whole reals are cast, a division by zero is NULL")
    func links() throws {
        let library = try Library()
        let author = QueryExpression.toOne(.variable(.root), library.relationship("Book", "author"))
        let name = library.attribute("Author", "name", of: author)
        #expect(
            try library.text(library.query("Book", .compare(.equal, name, .literal(.text("A")))))
                == #"""
                "ZBOOK" t0 LEFT JOIN "ZAUTHOR" t1 ON t1.Z_PK = t0."ZAUTHOR" WHERE t1."ZNAME" = $1 ORDER BY t0.Z_PK
                """#)
        let published = library.attribute("Book", "published")
        let part = QueryExpression.arithmetic(.divide, published, .literal(.real(1)))
        #expect(
            try library.text(library.query("Book", .compare(.equal, part, .literal(.real(2)))))
                == #"""
                "ZBOOK" t0 WHERE (CAST(t0."ZPUBLISHED" AS DOUBLE PRECISION) / nullif($1, 0)) = $2 ORDER BY t0.Z_PK
                """#)
        let read = QueryCollection.toMany(.variable(.root), library.relationship("Reader", "books"))
        let book = QueryVariable(1)
        let pages = library.attribute("Book", "pages", of: .variable(book))
        #expect(
            try library.text(
                library.query("Reader", .exists(read, book, .compare(.equal, pages, .literal(.integer(1))))))
                    == #"""
                    "ZREADER" t0 WHERE EXISTS (SELECT 1 FROM "Z_2READERS" t2 JOIN "ZBOOK" t1 ON t1.Z_PK = t2."Z_2BOOKS" \#
                    WHERE t2."Z_4READERS" = t0.Z_PK AND (t1."ZPAGES" = $1)) ORDER BY t0.Z_PK
                    """#)
    }

    @Test("nil sorts first; without a limit there is none; excluded keys are an array, the index hint is left out")
    func selection() throws {
        let library = try Library()
        var query = library.query("Novel", .compare(.less, library.attribute("Book", "pages"), .literal(.integer(3))))
        query.sort = [
            SortKey(library.attribute("Book", "title")), SortKey(library.attribute("Book", "pages"), ascending: false),
        ]
        query.offset = 5
        query.excluded.insert(KeySet([1, 2]), in: library.spaces.spaces[library.index("Novel")])
        #expect(
            try library.text(query)
                == #"""
                "ZBOOK" t0 WHERE t0.Z_ENT = 3 AND NOT t0.Z_PK = ANY($1) AND t0."ZPAGES" < $2 \#
                ORDER BY t0."ZTITLE" NULLS FIRST, t0."ZPAGES" DESC NULLS LAST, t0.Z_PK OFFSET $3
                """#)
        query.limit = 7
        #expect(try library.text(query).hasSuffix(" LIMIT $3 OFFSET $4"))
        #expect(
            try library.builder.count(library.query("Book")).rendered(for: library.dialect)
                == #"SELECT count(*) FROM "ZBOOK" t0"#)
    }

    @Test("groups have aliases, and functions of the dialect")
    func groups() throws {
        let library = try Library()
        let groups = GroupQuery(
            library.query("Book"), by: [library.attribute("Book", "title")],
            results: [.init(.distinctSum, of: library.attribute("Book", "pages"))])
        #expect(
            try library.builder.groups(groups).text.rendered(for: library.dialect)
                == #"""
                SELECT t0."ZTITLE" AS k0, sum(DISTINCT t0."ZPAGES") FROM "ZBOOK" t0 GROUP BY k0 ORDER BY min(t0.Z_PK)
                """#)
    }

    @Test("an expression with a function or an order that the database does not have is not translated")
    func missingFunctions() throws {
        let library = try Library()
        let title = library.attribute("Book", "title")
        let lower = QueryExpression.function(.lowercase, [title])
        #expect(
            try library.text(library.query("Book", .compare(.equal, lower, .literal(.text("a")))))
                == #""ZBOOK" t0 WHERE lower(t0."ZTITLE") = $1 ORDER BY t0.Z_PK"#)
        let missing = UntranslatableExpression("a function that the database does not have")
        #expect(throws: missing) {
            try library.text(library.query("Book", .text(.like, title, .literal(.text("a*")))))
        }
        #expect(throws: missing) {
            try library.text(library.query("Book", .compare(.equal, .textLength(title), .literal(.integer(1)))))
        }
        var query = library.query("Book")
        query.sort = [SortKey(title, textOrder: .localized)]
        #expect(throws: UntranslatableExpression("an order of texts that the database does not have")) {
            try library.text(query)
        }
    }

    @Test("rows with equal unique values are found")
    func equalRows() throws {
        let library = try Library()
        let storage = library.map.entities[library.index("Reader")]
        let uniqueness = try #require(storage.uniqueness.first)
        let rows = EqualRows(table: storage.table, uniqueness: uniqueness, dialect: library.dialect)
        #expect(
            rows.key(of: [.text("A")], entityNumber: 4).rendered(for: library.dialect)
                == #"SELECT Z_PK FROM "ZREADER" WHERE "ZNAME" IS NOT DISTINCT FROM $1 AND Z_ENT = 4 LIMIT 1"#)
        #expect(
            rows.first(among: KeySet([3])).rendered(for: library.dialect)
                == #"""
                SELECT a.Z_PK FROM "ZREADER" a JOIN "ZREADER" b ON b.Z_PK <> a.Z_PK AND (a."ZNAME" IS NOT NULL) \#
                AND b."ZNAME" IS NOT DISTINCT FROM a."ZNAME" WHERE a.Z_PK = ANY($1) LIMIT 1
                """#)
    }
}
