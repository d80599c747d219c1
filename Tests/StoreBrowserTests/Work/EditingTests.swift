import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection
import Testing

@testable import StoreBrowser

@Suite("Editing in the browser")
struct EditingTests {
    /// The fields of a form as a browser sends them: hidden, typed, selected or checked ones.
    private func fields(_ page: String) -> [(String, String)] {
        guard let start = page.range(of: "<form class=\"edit\""),
            let end = page.range(of: "</form>", range: start.upperBound..<page.endIndex)
        else { return [] }
        let form = String(page[start.upperBound..<end.lowerBound])
        var found: [(String, String)] = []
        for match in form.matches(
            of: /<input ([^>]*)>|<textarea ([^>]*)>\n([^<]*)<\/textarea>|<select ([^>]*)>(.*?)<\/select>/)
        {
            let output = match.output
            if let input = output.1 {
                guard let name = attribute("name", of: input) else { continue }
                let isBox = input.contains("type=\"checkbox\"") || input.contains("type=\"radio\"")
                if !isBox || input.hasSuffix("checked") || input.contains(" checked") {
                    found.append((name, attribute("value", of: input) ?? ""))
                }
            } else if let area = output.2, let name = attribute("name", of: area) {
                found.append((name, text(output.3 ?? "").replacing("\n", with: "\r\n")))
            } else if let select = output.4, let name = attribute("name", of: select), let options = output.5 {
                let chosen =
                    options.firstMatch(of: /value="([^"]*)" selected/) ?? options.firstMatch(of: /value="([^"]*)"/)
                found.append((name, chosen.map { String($0.output.1) } ?? ""))
            }
        }
        return found
    }

    private func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = tag.range(of: "\(name)=\"") else { return nil }
        return text(tag[start.upperBound...].prefix { $0 != "\"" })
    }

    private func text(_ markup: Substring) -> String {
        String(markup).replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    private func encoded(_ fields: [(String, String)]) -> String {
        fields.map { "\(PercentText.encoded($0.0))=\(PercentText.encoded($0.1))" }.joined(separator: "&")
    }

    /// Opens the form of a row, changes some of its fields, and sends it.
    /// - Returns: the address of the review, without the token.
    private func send(
        _ store: BrowsedStore, _ object: String, _ changes: [String: String?], only: String? = nil
    ) async throws -> String {
        let page = await store.text("object/\(object)/edit\(only.map { "?only=\($0)" } ?? "")")
        var sent = fields(page).filter { name, _ in !changes.keys.contains(name) }
        #expect(sent.contains { $0.0 == "version" }, "\(page.prefix(300))")
        for (name, value) in changes { if let value { sent.append((name, value)) } }
        let answer = await store.post("edit", encoded(sent))
        #expect(answer.status == .seeOther)
        return String((answer.headers["location"] ?? "").dropFirst(BrowsedStore.token.count + 2))
    }

    private func save(_ store: BrowsedStore, _ review: String) async -> WebResponse {
        _ = await store.get(review)
        let answer = await store.post("save", "change=\(review.split(separator: "/").last ?? "")")
        await store.site.operation.waitUntilFinished()
        return answer
    }

    private func attributes(_ store: BrowsedStore, _ object: String) async throws -> [String: Any] {
        try await store.json("object/\(object).json")["attributes"] as? [String: Any] ?? [:]
    }

    /// The contents of the store, as exported.
    private func content(_ store: BrowsedStore) async throws -> [String] {
        var all: [String] = []
        for entity in ["Dish", "Menu", "Course", "Tag", "Picture", "Line", "Ingredient"] {
            all += try await store.rows(entity)
            let count = try await store.rows(entity).count
            for key in 1...max(1, count) {
                let links =
                    try await store.json("object/\(entity)/p\(key).json")["relationships"] as? [String: Any] ?? [:]
                all.append(
                    links.sorted { $0.key < $1.key }.map { "\($0.key)=\(($0.value as? [String: Any])?["first"] ?? "")" }
                        .joined(separator: " "))
            }
        }
        return all
    }

    @Test("An unedited form changes nothing")
    func unchanged() async throws {
        let store = try EditedStore.site()
        for object in ["Dish/p1", "Dish/p3", "Menu/p1", "Picture/p1", "Line/p1"] {
            let page = await store.text(try await send(store, object, [:]))
            #expect(page.contains("Nothing would change"), "\(object): \(page.suffix(600))")
        }
    }

    @Test(
        "Values of every type can be typed, are shown beside the former ones, saved with history, and undone",
        arguments: [
            ("title", "Lentil soup", "Lentil soup"), ("note", "other\r\nlines", "other\nlines"),
            ("minutes", "45", "45"),
            ("rating", "-2.5e-3", "-0.0025"), ("price", "1234567.89", "1234567.89"),
            ("added", "2024-03-01T12:00:00Z", "2024-03-01T12:00:00Z"),
            ("added", "2024-03-01 12:30", "2024-03-01T12:30:00Z"),
            ("isHot", "false", "false"),
            ("tag", "6F9619FF-8B86-4011-B42D-00C04FC964FF", "6F9619FF-8B86-4011-B42D-00C04FC964FF"),
            ("site", "https://example.org/a?b=c", "https://example.org/a?b=c"),
        ])
    func values(name: String, typed: String, stored: String) async throws {
        let store = try EditedStore.site()
        let before = try await content(store)
        let review = try await send(store, "Dish/p1", ["value:\(name)": typed])
        let page = await store.text(review)
        #expect(page.contains("<td class=\"old\"") && page.contains("Save"), "\(page.suffix(900))")
        #expect(try await content(store) == before)
        let answer = await save(store, review)
        #expect(answer.headers["location"] == "/\(BrowsedStore.token)/object/Dish/p1")
        let value = try await attributes(store, "Dish/p1")[name]
        let text = (value as? NSNumber).map { name == "isHot" ? "\($0.boolValue)" : "\($0)" } ?? value as? String
        #expect(text == stored)
        let newest = (try await store.json("history.json")["transactions"] as? [[String: Any]])?.first
        #expect(newest?["author"] as? String == "modelstore" && newest?["updated"] as? Int == 1)
        #expect(await store.text("entities").contains("data-action=\"undo\""))
        #expect(await store.post("undo").status == .seeOther)
        await store.site.operation.waitUntilFinished()
        #expect(try await content(store) == before)
    }

    @Test("Nil and the empty text differ; an empty number is nil")
    func nils() async throws {
        let store = try EditedStore.site()
        _ = await save(store, try await send(store, "Dish/p1", ["value:note": ""]))
        #expect(try await attributes(store, "Dish/p1")["note"] as? String == "")
        _ = await save(store, try await send(store, "Dish/p1", ["nil:note": "1"]))
        #expect(try await attributes(store, "Dish/p1")["note"] is NSNull)
        // Typed into a field that was nil, with its box still checked.
        _ = await save(store, try await send(store, "Dish/p1", ["value:note": "back", "nil:note": "1"]))
        #expect(try await attributes(store, "Dish/p1")["note"] as? String == "back")
        _ = await save(store, try await send(store, "Dish/p1", ["value:added": ""]))
        #expect(try await attributes(store, "Dish/p1")["added"] is NSNull)
    }

    @Test(
        "A value that breaks a rule is refused beside its field, with entity, property and rule, and stays typed",
        arguments: [
            ("value:minutes", "40000", "'Dish.minutes' takes a whole number from -32768 to 32767."),
            ("value:minutes", "", "'Dish.minutes' must have a value."),
            ("value:tag", "no uuid", "'Dish.tag' takes a UUID"),
            ("value:added", "tomorrow", "'Dish.added' takes a date"),
            ("value:title", "Roast", "'Dish.title' must be unique, and Dish/p2 has the same."),
            ("to:course", "", "'Dish.course' must have a value."),
            ("to:course", "p99", "There is no Course 'p99'."),
            ("value:size.width", "2", "'Dish.size.unit' must have a value while other parts of 'size' have one."),
        ])
    func refused(field: String, typed: String, words: String) async throws {
        let store = try EditedStore.site()
        let review = try await send(store, "Dish/p1", [field: typed])
        let answer = await store.get(review)
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .badRequest && page.contains(Markup.escaped(words)), "\(page.suffix(2_000))")
        #expect(page.contains("aria-invalid=\"true\"") && page.contains("name=\"\(field)\""))
        let saved = await store.post("save", "change=\(review.split(separator: "/").last ?? "")")
        #expect(saved.status == .conflict)
    }

    @Test("Elements of a composite are edited together")
    func composites() async throws {
        let store = try EditedStore.site()
        let before = try await content(store)
        let changes = ["value:size.width": "2.5", "value:size.unit": "cm", "nil:size.unit": nil]
        let review = try await send(store, "Dish/p1", changes)
        #expect(await store.text(review).contains("width: 2.5, unit: cm"))
        _ = await save(store, review)
        let size = try await attributes(store, "Dish/p1")["size"] as? [String: Any]
        #expect(size?["width"] as? Double == 2.5 && size?["unit"] as? String == "cm")
        _ = await store.post("undo")
        await store.site.operation.waitUntilFinished()
        #expect(try await content(store) == before)
    }

    @Test("Derived values are updated, and listed in the review")
    func derived() async throws {
        let store = try EditedStore.site()
        let review = try await send(store, "Dish/p1", ["value:title": "Big STEW"])
        #expect(await store.text(review).contains("Dish.folded"))
        _ = await save(store, review)
        #expect(try await attributes(store, "Dish/p1")["folded"] as? String == "big stew")
    }

    @Test(
        "Links are changed at both ends, with other lost links shown, and undone with their order",
        arguments: [
            ("Dish/p1", "to:menu", "Dinner", "Menu/p2"), ("Dish/p1", "to:menu", "", nil),
            ("Dish/p1", "to:picture", "p2", "Picture/p2"),
            ("Dish/p3", "to:picture", "roast.png (Picture/p2)", "Picture/p2"),
            ("Dish/p1", "add:tags", "quick", "Tag/p1"), ("Menu/p2", "add:dishes", "Dish/p2", "Dish/p2"),
            ("Menu/p1", "remove:dishes", "Dish/p2", "Dish/p2"),
        ] as [(String, String, String, String?)])
    func links(object: String, field: String, typed: String, end: String?) async throws {
        let store = try EditedStore.site()
        let before = try await content(store)
        let review = try await send(store, object, [field: typed])
        let page = await store.text(review)
        #expect(page.contains("Changes with it"), "\(page.suffix(1_500))")
        if let end { #expect(page.contains("object/\(end)\"")) }
        _ = await save(store, review)
        #expect(try await content(store) != before)
        #expect(try await store.json("work.json")["phase"] as? String == "saved")
        _ = await store.post("undo")
        await store.site.operation.waitUntilFinished()
        #expect(try await store.json("work.json")["phase"] as? String == "reverted")
        #expect(try await content(store) == before)
    }

    @Test("A text that matches several rows offers them to choose from")
    func candidates() async throws {
        let store = try EditedStore.site()
        let page = await store.text(try await send(store, "Picture/p1", ["to:dish": "line one"]))
        #expect(page.contains("Which one?") && page.contains("name=\"pick:dish\" value=\"Dish/p2\""))
        let review = try await send(store, "Picture/p1", ["to:dish": "line one", "pick:dish": "Dish/p3"])
        #expect(await store.text(review).contains("object/Dish/p3\""))
    }

    private func writeElsewhere(_ store: BrowsedStore, minutes: Int64, of key: Int64) throws {
        let other = try SQLiteStore(model: EditedStore.model(), location: .file(store.url))
        let dish = try #require(other.model.entity(named: "Dish"))
        let row = try #require(try other.snapshots(of: [other.objectID(entity: dish, key: key)]).first)
        let slot = try #require(dish.attribute(named: "minutes")?.slots.first)
        var changes = ChangeSet()
        var values = row.values
        values[slot] = .integer(minutes)
        changes.updates = [
            ChangeSet.Update(
                id: row.id, entityIndex: dish.index, expectedVersion: row.version, values: values, changedSlots: [slot],
                changedToMany: [])
        ]
        guard case .saved = try other.save(changes) else { throw CocoaError(.fileWriteUnknown) }
    }

    @Test(
        "A row saved since the form was made is not written; both values are shown, and the edit can be repeated"
    )
    func conflict() async throws {
        let store = try EditedStore.site()
        let review = try await send(store, "Dish/p1", ["value:minutes": "33"])
        #expect(await store.text(review).contains("Save"))
        try writeElsewhere(store, minutes: 77, of: 1)
        let answer = await store.get(review)
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .conflict && page.contains(">20<") && page.contains(">77<") && page.contains(">33<"))
        let form = page.components(separatedBy: "<form method=\"post\"").last ?? ""
        let again = form.matches(of: /name="([^"]*)" value="([^"]*)"/).map {
            (String($0.output.1), String($0.output.2))
        }
        let sent = await store.post("edit", encoded(again))
        let anew = String((sent.headers["location"] ?? "").dropFirst(BrowsedStore.token.count + 2))
        _ = await save(store, anew)
        #expect(try await attributes(store, "Dish/p1")["minutes"] as? Int == 33)
    }

    @Test("Values saved between the review and its confirmation are not overwritten, nor by an undo")
    func lateConflicts() async throws {
        let store = try EditedStore.site()
        let review = try await send(store, "Dish/p1", ["value:minutes": "33"])
        _ = await store.get(review)
        try writeElsewhere(store, minutes: 77, of: 1)
        let answer = await store.post("save", "change=\(review.split(separator: "/").last ?? "")")
        #expect(answer.headers["location"] == "/\(BrowsedStore.token)/work")
        await store.site.operation.waitUntilFinished()
        #expect(await store.text("work").contains("Dish/p1 was saved or deleted by something else since."))
        #expect(try await attributes(store, "Dish/p1")["minutes"] as? Int == 77)
        _ = await save(store, try await send(store, "Dish/p1", ["value:minutes": "44"]))
        try writeElsewhere(store, minutes: 88, of: 1)
        _ = await store.post("undo")
        await store.site.operation.waitUntilFinished()
        let work = await store.text("work")
        #expect(work.contains("Nothing was written.") && work.contains("Changed minutes of Bean soup"))
        #expect(try await attributes(store, "Dish/p1")["minutes"] as? Int == 88)
    }

    @Test("A confirmed change is saved once, after a backup")
    func once() async throws {
        let store = try EditedStore.site { $0.makesBackup = true }
        let review = try await send(store, "Dish/p1", ["value:minutes": "33"])
        #expect(await store.text(review).contains("A backup of the file is made first."))
        _ = await save(store, review)
        #expect(store.backups.count == 1)
        let id = review.split(separator: "/").last ?? ""
        #expect(await store.post("save", "change=\(id)").status == .seeOther)
        await store.site.operation.waitUntilFinished()
        #expect(try await attributes(store, "Dish/p1")["minutes"] as? Int == 33)
        #expect(try await store.json("object/Dish/p1.json")["version"] as? Int == 2)
    }

    @Test("Without permission to write there is neither a form nor a way to send one")
    func readOnly() async throws {
        let store = try EditedStore.site { $0.mayWrite = false }
        #expect(await store.get("object/Dish/p1/edit").status == .forbidden)
        #expect(await store.text("object/Dish/p1").contains("/edit") == false)
        #expect(await store.post("edit", "object=Dish%2Fp1&version=1").status == .forbidden)
        #expect(await store.get("change/\(UUID().uuidString)").status == .forbidden)
    }

    @Test(
        "A malformed form is refused",
        arguments: ["", "object=Dish%2Fp1", "object=Dish%2Fp1&version=1&hack:x=1"])
    func foreign(body: String) async throws {
        let store = try EditedStore.site()
        #expect(await store.post("edit", body).status == .badRequest)
    }

    @Test("An unknown property is refused")
    func unknown() async throws {
        let store = try EditedStore.site()
        let body = "object=Dish%2Fp1&version=1&value%3Acolour=red&was%3Acolour=blue"
        let answer = await store.post("edit", body)
        let review = String((answer.headers["location"] ?? "").dropFirst(BrowsedStore.token.count + 2))
        #expect(await store.get(review).status == .badRequest)
        #expect(await store.get("object/Dish/p1/edit?only=colour").status == .badRequest)
    }

    @Test("A form for one property contains only that property")
    func only() async throws {
        let store = try EditedStore.site()
        let page = await store.text("object/Dish/p1/edit?only=minutes")
        #expect(page.contains("name=\"value:minutes\"") && !page.contains("name=\"value:title\""))
        let review = try await send(store, "Dish/p1", ["value:minutes": "33"], only: "minutes")
        _ = await save(store, review)
        #expect(try await attributes(store, "Dish/p1")["minutes"] as? Int == 33)
        #expect(try await attributes(store, "Dish/p1")["title"] as? String == "Bean soup")
    }
}
