import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection
import TestSupport
import Testing

@testable import StoreBrowser

@Suite("Labels of rows")
struct LabelTests {
    /// Labels of the first rows of an entity, in the order of their keys.
    private func labels(_ entity: String, _ store: SQLiteStore) throws -> [String?] {
        let entity = try store.model.inspectedEntity(entity)
        var query = Query(entityIndex: entity.index)
        query.limit = 200
        return try store.reading { reading in
            let rows = try reading.fetch(query)
            let labels = try RowLabels(store.model, reading).labels(of: rows)
            return rows.map { labels[$0.id] }
        }
    }

    private func store(_ entity: EntityDescription, _ rows: [[String: Value]]) throws -> SQLiteStore {
        let store = try SQLiteStore(model: Model([entity], versionIdentifiers: ["1"]), location: .memory)
        let entity = try #require(store.model.entity(named: entity.name))
        var changes = ChangeSet()
        for row in rows {
            var slots = Array(repeating: Value.null, count: entity.slots.count)
            for (name, value) in row {
                if let slot = entity.attribute(named: name)?.slots.first { slots[slot] = value }
            }
            changes.insertions.append(
                ChangeSet.Insertion(
                    id: .temporary(entityName: entity.name), entityIndex: entity.index, values: SlotValues(slots)))
        }
        _ = try store.save(changes)
        return store
    }

    private var car: EntityDescription {
        var car = EntityDescription("Car")
        car.attributes = [
            Attribute("name", .string), Attribute("numberPlate", .string),
            Attribute("year", .integer16, optional: true),
        ]
        return car
    }

    @Test("A text that repeats is no label if another one is unique")
    func repeated() throws {
        let store = try store(car, (0..<100).map { ["name": .text("FIAT"), "numberPlate": .text("HN 2-\($0)")] })
        #expect(try labels("Car", store).prefix(2) == ["HN 2-0", "HN 2-1"])
    }

    @Test("A name that is unique is the label, unless another text has a uniqueness constraint")
    func names() throws {
        let rows: [[String: Value]] = (0..<3).map { ["name": .text("Car \($0)"), "numberPlate": .text("HN 2-\($0)")] }
        #expect(try labels("Car", store(car, rows)).first == "Car 0")
        var unique = car
        unique.uniquenessConstraints = [["numberPlate"]]
        #expect(try labels("Car", store(unique, rows)).first == "HN 2-0")
    }

    @Test("A machine-readable identifier is no label if a name is unique")
    func machines() throws {
        var unique = car
        unique.uniquenessConstraints = [["numberPlate"]]
        let rows: [[String: Value]] = (0..<3).map {
            ["name": .text("Car \($0)"), "numberPlate": .text(UUID().uuidString)]
        }
        #expect(try labels("Car", store(unique, rows)).first == "Car 0")
    }

    @Test("If all texts repeat, a text and a value together are the label; a text alone is none")
    func together() throws {
        let rows: [[String: Value]] = (0..<4).map {
            ["name": .text("FIAT"), "numberPlate": .text("?"), "year": .integer($0)]
        }
        #expect(try labels("Car", store(car, rows)) == ["FIAT 0", "FIAT 1", "FIAT 2", "FIAT 3"])
        let alike: [[String: Value]] = (0..<4).map { _ in ["name": .text("FIAT"), "numberPlate": .text("?")] }
        #expect(try labels("Car", store(car, alike)) == [nil, nil, nil, nil])
    }

    @Test("Two texts that are unique together are preferred to a text and a value")
    func pairs() throws {
        let rows: [[String: Value]] = (0..<4).map {
            [
                "name": .text($0 < 2 ? "Ada" : "Bob"), "numberPlate": .text($0 % 2 == 0 ? "X" : "Y"),
                "year": .integer(2020),
            ]
        }
        #expect(try labels("Car", store(car, rows)) == ["Ada X", "Ada Y", "Bob X", "Bob Y"])
    }

    @Test("A value and a related row together are the label, on every page")
    func links() async throws {
        let site = try EditedStore.site()
        #expect(await site.text("rows/Line").contains("<bdi>100 g · Flour</bdi>"))
        #expect(await site.text("object/Line/p2").contains("<h1><bdi>200 g · Butter</bdi></h1>"))
        #expect(await site.text("object/Dish/p1").contains("<bdi>100 g · Flour</bdi>"))
        #expect(await site.text("plan?object=Line%2Fp1").contains("<bdi>100 g · Flour</bdi>"))
    }
}

extension RealFile {
    /// A site about a copy, in a folder that is removed at the end.
    fileprivate func site() throws -> BrowsedStore { try BrowsedStore({ try copy(to: $0) }) { _ in } }
}

@Suite("Labels in real files", .realFiles)
struct RealLabelTests {
    @Test("A text that is a label by itself does not repeat in the first rows", arguments: RealFile.all)
    func unique(file: RealFile) throws {
        let site = try file.site()
        try site.site.source.readHere { look in
            let model = look.store.model
            try look.store.reading { reading in
                let reading = reading.markingUnreadable()
                let labels = RowLabels(model, reading)
                for entity in model.entities {
                    guard let telling = try labels.identifyingAttribute(of: entity) else { continue }
                    var query = Query(entityIndex: entity.index)
                    query.limit = 50
                    let texts = try reading.fetch(query).compactMap { row -> String? in
                        guard case .text(let text) = row.values[telling.slots.lowerBound], !text.isBlank else {
                            return nil
                        }
                        return text
                    }
                    #expect(Set(texts).count == texts.count, "\(entity.name).\(telling.name)")
                }
            }
        }
    }

    @Test("Every entity is listed, searched and downloaded", arguments: RealFile.all)
    func pages(file: RealFile) async throws {
        let site = try file.site()
        let entities = try await site.json("entities.json")["entities"] as? [[String: Any]] ?? []
        #expect(!entities.isEmpty)
        for name in entities.compactMap({ $0["name"] as? String }) {
            for path in ["rows/\(name)", "rows/\(name)?where=a", "download/rows/\(name).csv", "suggest/\(name)?text=a"]
            {
                #expect(await site.get(path).status == .ok, "\(path)")
            }
        }
        #expect(await site.get("search?text=a").status == .ok)
    }
}
