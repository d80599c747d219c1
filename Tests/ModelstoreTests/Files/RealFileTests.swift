import Foundation
import StoreSQL
import TestSupport
import Testing

@testable import SQLiteStore

/// Every reading command, on files written by Apple's frameworks, compared with values read from the files in SQL.
@Suite("Real files", .enabled(if: Tool.exists), .realFiles)
struct RealFileTests {
    @Test("Reading commands leave everything unchanged", arguments: RealFile.all)
    func untouched(file: RealFile) throws {
        let tool = try Tool()
        let path = try file.copy(into: tool)
        let before = try tool.state()
        let entity = try #require(try tool.run("count", path, "--format", "json").list().first?["entity"] as? String)
        let all = [
            ["info", path], ["schema", path], ["schema", path, "--as", "swift"], ["schema", path, "--as", "svg"],
            ["rows", path, entity], ["count", path], ["plan", path, entity], ["check", path], ["lint", path],
            ["history", path], ["export", path], ["repair", path], ["compact", path], ["restore", path],
            ["delete", path, entity], ["show", path, "\(entity)/p1"], ["erase", path, "--traces"],
            ["import", path, tool.path("none.ndjson")], ["sql", path, "SELECT count(*) FROM sqlite_master"],
            ["diff", path, path],
        ]
        // One without and one with a log are read by every command.
        let isWhole = file.path == RealFile.books.path || file.path == RealFile.resources.path
        for arguments in isWhole ? all : all.enumerated().filter({ $0.offset % 4 == 0 }).map(\.element) {
            let result = try tool.run(arguments)
            #expect(result.status <= 2 && !result.wasKilled, "\(arguments): \(result.errors)")
            #expect(try tool.state() == before, "\(arguments)")
        }
    }

    @Test("info shows the facts of the file", arguments: RealFile.all)
    func info(file: RealFile) throws {
        let tool = try Tool()
        let fields = try tool.run("info", try file.copy(into: tool), "--format", "json").fields()
        guard case .text(let uuid)? = try file.ask("SELECT Z_UUID FROM Z_METADATA").first?.first else {
            Issue.record("no identifier")
            return
        }
        #expect(fields["identifier"] as? String == uuid)
        let model = try #require(fields["model"] as? [String: Any])
        #expect(model["hashes"] as? String == "agree")
        // Frameworks before 2018 wrote none.
        let key = "CAST('NSStoreModelVersionHashesDigest' AS BLOB)"
        let hasSums = try file.number("SELECT instr(Z_PLIST, \(key)) > 0 FROM Z_METADATA") == 1
        #expect(model["sumsAgree"] as? Bool == (hasSums ? true : nil))
        let entities = try #require(fields["entities"] as? [[String: Any]])
        #expect(entities.count == (try file.number("SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")))
        if try file.number("SELECT count(*) FROM sqlite_master WHERE name = 'ATRANSACTION'") == 1 {
            let history = try #require(fields["history"] as? [String: Any])
            #expect(history["transactions"] as? Int == (try file.number("SELECT count(*) FROM ATRANSACTION")))
            #expect(history["changes"] as? Int == (try file.number("SELECT count(*) FROM ACHANGE")))
        } else {
            #expect(fields["history"] is NSNull)
        }
    }

    @Test("Every row of every entity is listed", arguments: RealFile.all)
    func rows(file: RealFile) throws {
        let tool = try Tool()
        let path = try file.copy(into: tool)
        let totals = try rowCounts(tool, path, "total")
        for (index, (number, name)) in try entities(file).enumerated() {
            let table = try root(of: number, file)
            let wanted = try file.ask(
                "SELECT Z_PK FROM Z\(table.uppercased()) WHERE Z_ENT IN (\(try family(number, file))) ORDER BY 1")
            #expect(totals[name] == wanted.count, "\(name)")
            if index == 0 {
                let count = try tool.run("count", path, name)
                #expect(count.output == "\(wanted.count)\n", "\(name): \(count.errors)")
            }
            let rows = try tool.run("rows", path, name, "--format", "ndjson")
            #expect(rows.status == (rows.output.contains("{\"$lost\":") ? 1 : 0), "\(name): \(rows.errors)")
            let keys = rows.output.split(separator: "\n").compactMap { line -> Int64? in
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return (object?["$id"] as? String).flatMap { $0.split(separator: "/p").last }.flatMap { Int64($0) }
            }
            #expect(keys.map(Cell.integer) == wanted.compactMap(\.first), "\(name)")
        }
    }

    private func entities(_ file: RealFile) throws -> [(number: Int64, name: String)] {
        let tool = try Tool()
        let names = try tool.run("count", try file.copy(into: tool), "--format", "json").list()
            .compactMap { $0["entity"] as? String }
        // Renamed entities keep their old name in the key table.
        return try file.ask("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000").compactMap { row in
            guard case .integer(let number) = row[0], case .text(let name) = row[1], names.contains(name) else {
                return nil
            }
            return (number, name)
        }
    }

    private func root(of number: Int64, _ file: RealFile) throws -> String {
        var current = number
        while true {
            let row = try #require(
                try file.ask("SELECT Z_SUPER, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = \(current)").first)
            guard case .integer(let above) = row[0], case .text(let name) = row[1] else { return "" }
            if above == 0 { return name }
            current = above
        }
    }

    private func family(_ number: Int64, _ file: RealFile) throws -> String {
        let sql = """
            WITH RECURSIVE family(n) AS (SELECT \(number) UNION SELECT Z_ENT FROM Z_PRIMARYKEY, family WHERE Z_SUPER = n)
            SELECT n FROM family
            """
        var numbers: [String] = []
        for row in try file.ask(sql) {
            if case .integer(let number) = row[0] { numbers.append(String(number)) }
        }
        return numbers.joined(separator: ", ")
    }

    @Test("A predicate and an order select the same rows as SQL")
    func predicates() throws {
        let tool = try Tool()
        let path = try RealFile.cocktails.copy(into: tool)
        let found = try tool.run(
            "rows", path, "Cocktail", "--where", "cocktailName BEGINSWITH 'A' AND garnish.@count > 0", "--sort",
            "-cocktailName", "--columns", "cocktailName", "--format", "csv")
        #expect(found.status == 0, "\(found.errors)")
        let names = try RealFile.cocktails.ask(
            """
            SELECT ZCOCKTAILNAME FROM ZCOCKTAIL c WHERE ZCOCKTAILNAME GLOB 'A*'
            AND EXISTS (SELECT 1 FROM Z_1GARNISH WHERE Z_1COCKTAILS = c.Z_PK) ORDER BY 1 DESC
            """)
        var wanted: [String] = []
        for row in names {
            if case .text(let text) = row[0] { wanted.append(text) }
        }
        var shown: [String] = []
        for line in found.output.split(separator: "\n").dropFirst() {
            shown.append(String(line.drop { $0 != "," }.dropFirst()).replacing("\"", with: ""))
        }
        #expect(shown == wanted)
        #expect(wanted.count > 3)
    }

    @Test("Links are shown at both ends")
    func links() throws {
        let tool = try Tool()
        let path = try RealFile.cocktails.copy(into: tool)
        let garnish = try tool.run("rows", path, "Garnish", "--with", "cocktails", "--format", "json").list()
        let links = garnish.reduce(0) { $0 + (($1["cocktails"] as? [Any])?.count ?? 0) }
        #expect(links == (try RealFile.cocktails.number("SELECT count(*) FROM Z_1GARNISH")))
        let cocktails = try tool.run("rows", path, "Cocktail", "--with", "spec", "--format", "ndjson")
        let members = cocktails.output.components(separatedBy: "\"$id\":\"Ingredient/p").count - 1
        #expect(members == (try RealFile.cocktails.number("SELECT count(*) FROM ZINGREDIENT WHERE Z1SPEC NOT NULL")))
    }

    @Test("A row of another entity in the same table is not shown")
    func ownEntity() throws {
        let tool = try Tool()
        let path = try RealFile.books.copy(into: tool)
        #expect(try tool.run("show", path, "Book/p1").status == 0)
        let other = try tool.run("show", path, "GraphicNovel/p1")
        #expect(other.status == 2 && other.output.isEmpty, "\(other.output)")
    }

    @Test("A plan lists links that will dangle")
    func dangling() throws {
        let tool = try Tool()
        let path = try RealFile.cocktails.copy(into: tool)
        let which = ["IngredientBase", "--where", "name == 'Simple syrup'"]
        let wanted = try RealFile.cocktails.number(
            "SELECT count(*) FROM ZINGREDIENT WHERE ZINGREDIENTBASE IN "
                + "(SELECT Z_PK FROM ZINGREDIENTBASE WHERE ZNAME = 'Simple syrup')")
        #expect(wanted > 1)
        let plan = try tool.run(["plan", path] + which + ["--format", "json"]).fields()
        let links = try #require(plan["dangling"] as? [[String: Any]])
        #expect(links.map { $0["relationship"] as? String } == ["Ingredient.ingredientBase"])
        #expect(links.map { $0["count"] as? Int } == [wanted])
        let text = try tool.run(["delete", path] + which).output
        #expect(
            text.contains("Left dangling\n  Ingredient.ingredientBase  \(wanted)  links"), "\(text)")
    }

    @Test("A plan counts the rows that the rules affect")
    func plan() throws {
        let tool = try Tool()
        let path = try RealFile.cocktails.copy(into: tool)
        let plan = try tool.run("plan", path, "Cocktail", "--where", "cocktailName BEGINSWITH 'B'", "--format", "json")
            .fields()
        let roots = try RealFile.cocktails.number("SELECT count(*) FROM ZCOCKTAIL WHERE ZCOCKTAILNAME GLOB 'B*'")
        let members = try RealFile.cocktails.number(
            "SELECT count(*) FROM ZINGREDIENT JOIN ZCOCKTAIL c ON Z1SPEC = c.Z_PK WHERE ZCOCKTAILNAME GLOB 'B*'")
        #expect(plan["asked"] as? Int == roots)
        #expect(plan["deleted"] as? Int == roots + members)
        #expect(roots > 0 && members > 0)
    }

    @Test(
        "A complete export imported into a new store gives the same contents", arguments: RealFile.all,
        ["json", "ndjson", "csv"])
    func exportAndImport(file: RealFile, format: String) throws {
        let tool = try Tool()
        let path = try file.copy(into: tool)
        let exported = try tool.run("export", path, "--format", format, "-o", tool.path("out"))
        #expect(exported.status == (try file.hasLostValues() ? 1 : 0), "\(exported.errors)")
        // Files of apps do not obey their own models in everything.
        let imported = try tool.run(
            "import", tool.path("new.store"), tool.path("out"), "--model-of", path, "--as-is", "--leave-out-lost",
            "--write")
        #expect(imported.status == 0, "\(imported.errors)")
        let counts = try rowCounts(tool, path)
        #expect(!counts.isEmpty)
        #expect(try rowCounts(tool, tool.path("new.store")) == counts)
        let again = try tool.run("export", tool.path("new.store"), "--format", format, "-o", tool.path("again"))
        #expect(again.status == 0, "\(again.errors)")
        #expect(try content(tool.url("out")) == content(tool.url("again")))
    }

    @Test("A new store counts like Apple's: by the same triggers", .realFiles)
    func derivedCounts() throws {
        let tool = try Tool()
        let path = try RealFile.books.copy(into: tool)
        _ = try tool.run("export", path, "--format", "ndjson", "-o", tool.path("all.ndjson"))
        let made = try tool.run(
            "import", tool.path("new.store"), tool.path("all.ndjson"), "--model-of", path, "--write")
        #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
        let triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid"
        let ours = try tool.run("sql", tool.path("new.store"), triggers, "--format", "json")
        let theirs = try tool.run("sql", path, triggers, "--format", "json")
        #expect(ours.output == theirs.output && theirs.output.contains("Z_DA_ZPAGE_Book_pagesCount"))
        let wrong = try tool.run("count", tool.path("new.store"), "Book", "--where", "pagesCount != pages.@count")
        #expect(wrong.output == "0\n", "\(wrong.errors)")
    }

    /// The number of each entity's own rows, or with those of the entities below it.
    private func rowCounts(_ tool: Tool, _ path: String, _ column: String = "rows") throws -> [String: Int] {
        try tool.run("count", path, "--format", "json").list().reduce(into: [:]) { counts, entity in
            counts[try #require(entity["entity"] as? String)] = try #require(entity[column] as? Int)
        }
    }

    /// Without identities, which are new, and in one order.
    private func content(_ url: URL) throws -> [String] {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        let files =
            isFolder.boolValue
            ? try FileManager.default.contentsOfDirectory(atPath: url.path).map { url.appendingPathComponent($0) }
            : [url]
        // Made once: there are many lines, and one pass over each is slow enough.
        let changing = /[A-Z][A-Za-z]*\/p[0-9]+|"store": "[^"]*"|\{"\$lost":"[^"]*"\}|⟨[a-z ]*⟩/
        var lines: [String] = []
        for file in files {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let plain = line.replacing(changing) { Self.replacement(of: $0.output) }
                lines.append(plain.last == "," ? String(plain.dropLast()) : String(plain))
            }
        }
        return lines.sorted()
    }

    /// For an identity, a lost value, the store's identifier, or a remark.
    private static func replacement(of text: Substring) -> String {
        switch text.first {
        case "{": "null"
        case "\"", "⟨": ""
        default: "ID"
        }
    }
}
