import Foundation
import ObjectGraph
import Testing

@testable import PredicateFormat
@testable import SQLiteStore

/// The SQL of predicates in the format language.
@Suite("Predicate formats in SQL")
struct PredicateFormatTests {
    @Test(
        "each construct has its SQL",
        arguments: [
            ("age > 3 AND name != nil", "t0.ZAGE > ? AND t0.ZNAME IS NOT NULL"),
            ("age BETWEEN {1, 5}", "t0.ZAGE >= ? AND t0.ZAGE <= ?"),
            ("age IN {1, 2}", "t0.ZAGE IN (?, ?)"),
            // A range, which can use an index.
            ("name BEGINSWITH 'A'", "(t0.ZNAME >= ? AND t0.ZNAME < ?)"),
            ("name ==[cd] 'É'", "OSDFoldCaseAndDiacritics(t0.ZNAME) = ?"),
            ("name CONTAINS[c] 'x'", "instr(OSDFoldCase(t0.ZNAME), ?) > 0"),
            ("name LIKE 'A*'", "OSDLike(t0.ZNAME, ?)"),
            ("name MATCHES 'A.*'", "OSDMatchesPattern(t0.ZNAME, ?)"),
            ("born > CAST(5, 'NSDate')", "t0.ZBORN > ?"),
            ("abs(age) ** 2 == 4", "OSDPower(OSDAbsolute(t0.ZAGE), ?) = ?"),
            ("length(name) == 3", "OSDTextLength(t0.ZNAME) = ?"),
            ("category.@count == 1", ""),
        ])
    func text(format: String, sql: String) throws {
        let zoo = try ZooStore()
        let animal = try zoo.entity("Animal")
        if sql.isEmpty {
            #expect(throws: FormatTranslationError.self) {
                try PredicateFormat(parsing: format).expression(on: animal, in: zoo.model)
            }
            return
        }
        let predicate = try PredicateFormat(parsing: format).expression(on: animal, in: zoo.model)
        #expect(try zoo.whereClause("Animal", predicate) == "ZANIMAL t0 WHERE \(sql)")
    }

    @Test("to-many relationships use subqueries, and existence is tested without counting")
    func collections() throws {
        let zoo = try ZooStore()
        let category = try zoo.entity("Category")
        func sql(_ format: String) throws -> String {
            let predicate = try PredicateFormat(parsing: format).expression(on: category, in: zoo.model)
            return try zoo.whereClause("Category", predicate)
        }
        for format in ["ANY animals.age > 3", "SUBQUERY(animals, $x, $x.age > 3).@count > 0"] {
            #expect(
                try sql(format)
                    == "ZCATEGORY t0 WHERE EXISTS (SELECT 1 FROM ZANIMAL t1 WHERE t1.ZCATEGORY = t0.Z_PK AND (t1.ZAGE > ?))",
                "\(format)")
        }
        #expect(
            try sql("animals.@count == 0")
                == "ZCATEGORY t0 WHERE NOT (EXISTS (SELECT 1 FROM ZANIMAL t1 WHERE t1.ZCATEGORY = t0.Z_PK))")
        #expect(
            try sql("animals.@count == 2")
                == "ZCATEGORY t0 WHERE (SELECT count(*) FROM ZANIMAL t1 WHERE t1.ZCATEGORY = t0.Z_PK) = ?")
    }
}
