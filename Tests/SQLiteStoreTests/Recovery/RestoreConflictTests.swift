import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Conflicts of restores")
struct RestoreConflictTests {
    private func conflict(
        _ reason: RestoreConflict.Reason, _ relationship: String?, _ ids: ObjectID...
    ) -> RestoreConflict {
        RestoreConflict(
            reason: reason, entity: ids[0].entityName, relationship: relationship, count: ids.count, examples: ids)
    }

    @Test("a unique value taken meanwhile; skipped, the row stays archived until the value is free again")
    func uniqueValue() throws {
        let zoo = try ZooStore()
        let cats = try zoo.insert("Category", ["name": .text("cats")])
        let tom = try zoo.insert("Person", ["name": .text("keeper")])
        _ = tom
        let animal = try zoo.insert("Animal", ["name": .text("Tom"), "category": .reference(cats.id)])
        let token = try zoo.deleteKept(cats.id)
        let other = try zoo.insert("Category", ["name": .text("cats")])
        let expected = [
            conflict(.notUnique(properties: ["name"]), nil, cats.id),
            conflict(.destinationRowMissing(.optional), "category", animal.id),
        ]
        #expect(try refusals(zoo, token) == expected)
        let result = try zoo.store.restore(token, .skippingConflicts)
        #expect(result.skipped == expected)
        #expect(!result.isComplete)
        #expect(result.restored == RowSet([animal.id]))
        let back = try zoo.snapshot(animal.id)
        #expect(try zoo.value(back, "category") == .null)
        #expect(back.version == animal.version + 1)
        let rest = try #require(try zoo.store.archivedDeletes().first)
        #expect(rest.rowCount == 1 && rest.linkCount == 1)
        // The other one is deleted; now everything is restored.
        try zoo.save { $0.updates = [try zoo.update(other, ["name": .text("dogs")])] }
        let second = try zoo.store.restore(token, .strict)
        #expect(second.restored == RowSet([cats.id]))
        #expect(second.updated == RowSet([animal.id]))
        let whole = try zoo.snapshot(animal.id)
        #expect(whole.values == animal.values)
        #expect(whole.version == animal.version + 2)
        #expect(try zoo.store.archivedDeletes().isEmpty)
    }

    @Test("a key that another row has")
    func keyInUse() throws {
        let zoo = try ZooStore()
        let tag = try zoo.insert("Tag", ["label": .text("a")])
        let token = try zoo.deleteKept(tag.id)
        try zoo.store.pool.withWriter {
            try $0.execute("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (\(tag.id.key), \(number(zoo, "Tag")), 1)")
        }
        #expect(try refusals(zoo, token) == [conflict(.keyInUse, nil, tag.id)])
        let result = try zoo.store.restore(token, .skippingConflicts)
        #expect(result.restored.isEmpty && !result.isComplete)
        #expect(try zoo.store.archivedDeletes().count == 1)
    }

    private func number(_ zoo: ZooStore, _ entity: String) throws -> Int {
        zoo.store.map.entities[try zoo.entity(entity).index].entityNumber
    }

    @Test("a reference to a row deleted meanwhile: the row is restored without it, and the reference when possible")
    func optionalEnd() throws {
        let zoo = try ZooStore()
        let boss = try zoo.insert("Keeper", ["name": .text("boss")])
        let person = try zoo.insert("Person", ["name": .text("p"), "boss": .reference(boss.id)])
        let original = try zoo.contents()
        let (first, second) = (try zoo.deleteKept(person.id), try zoo.deleteKept(boss.id))
        let expected = [conflict(.destinationRowMissing(.optional), "boss", person.id)]
        #expect(try refusals(zoo, first) == expected)
        #expect(try zoo.store.restore(first, .skippingConflicts).skipped == expected)
        let without = try zoo.snapshot(person.id)
        #expect(try zoo.value(without, "boss") == .null && without.version == person.version + 1)
        #expect(try zoo.store.restore(second, .strict).restored == RowSet([boss.id]))
        let rest = try zoo.store.restore(first, .strict)
        #expect(rest.restored.isEmpty && rest.updated == RowSet([person.id]))
        #expect(try zoo.contents().difference(from: original) == "")
    }

    @Test("a reference that dangled when the row was deleted is no conflict")
    func looseBefore() throws {
        let zoo = try ZooStore()
        let boss = try zoo.insert("Person", [:])
        let person = try zoo.insert("Person", ["boss": .reference(boss.id)])
        _ = try zoo.store.delete(DeleteRequest(.rows(RowSet([boss.id]))))
        let before = try zoo.contents()
        let token = try zoo.deleteKept(person.id)
        #expect(try zoo.store.conflicts(restoring: token).isEmpty)
        _ = try zoo.store.restore(token, .strict)
        #expect(try zoo.contents().difference(from: before) == "")
    }

    @Test("a one-to-one end that another row has taken: neither half is restored")
    func takenEnd() throws {
        let zoo = try ZooStore()
        let passport = try zoo.insert("Passport", [:])
        let person = try zoo.insert("Doctor", ["passport": .reference(passport.id)])
        let linked = try zoo.snapshot(passport.id)
        try zoo.save { $0.updates = [try zoo.update(linked, ["owner": .reference(person.id)])] }
        let original = try zoo.contents()
        let token = try zoo.deleteKept(person.id)
        _ = try zoo.store.restore(token, .strict)
        #expect(try zoo.contents().difference(from: original) == "")
        let second = try zoo.deleteKept(person.id)
        let other = try zoo.insert("Person", ["passport": .reference(passport.id)])
        let free = try zoo.snapshot(passport.id)
        try zoo.save { $0.updates = [try zoo.update(free, ["owner": .reference(other.id)])] }
        let expected = [
            conflict(.destinationInUse(.optional), "passport", person.id),
            conflict(.survivorRefersElsewhere, "owner", passport.id),
        ]
        #expect(try refusals(zoo, second) == expected)
        #expect(try zoo.store.restore(second, .skippingConflicts).restored == RowSet([person.id]))
        #expect(try zoo.value(zoo.snapshot(person.id), "passport") == .null)
        #expect(try zoo.value(zoo.snapshot(passport.id), "owner") == .reference(other.id))
        #expect(try zoo.store.check().isEmpty)
    }

    @Test("a row without its mandatory end stays archived, with the rows for which it is mandatory itself")
    func mandatoryEnd() throws {
        let zoo = try Family.store()
        let (lost, kept) = (try zoo.insert("Parent", [:]), try zoo.insert("Parent", [:]))
        let (a, b) = (
            try zoo.insert("Child", ["parent": .reference(lost.id)]),
            try zoo.insert("Child", ["parent": .reference(kept.id)])
        )
        let (toyA, toyB) = (
            try zoo.insert("Toy", ["child": .reference(a.id)]), try zoo.insert("Toy", ["child": .reference(b.id)])
        )
        let original = try zoo.contents()
        let (first, second) = (try zoo.deleteKept(a.id, b.id), try zoo.deleteKept(lost.id))
        #expect(try refusals(zoo, first).contains(conflict(.destinationRowMissing(.mandatory), "parent", a.id)))
        let result = try zoo.store.restore(first, .skippingConflicts)
        #expect(result.restored == RowSet([b.id, toyB.id]))
        #expect(
            result.skipped == [
                conflict(.destinationRowMissing(.mandatory), "parent", a.id),
                conflict(.destinationRowMissing(.mandatory), "child", toyA.id),
            ])
        #expect(try zoo.store.archivedDeletes().map(\.rowCount) == [2, 1])
        _ = try zoo.store.restore(second, .strict)
        #expect(try zoo.store.restore(first, .strict).restored == RowSet([a.id, toyA.id]))
        let now = try zoo.contents()
        #expect(now.schema == original.schema)
        // The parent's version increased with the children that were restored first.
        #expect(now.rows["ZCHILD"] == original.rows["ZCHILD"] && now.rows["ZTOY"] == original.rows["ZTOY"])
    }

    @Test("a link between two rows of which one was deleted meanwhile")
    func joinedEnd() throws {
        let zoo = try ZooStore()
        let (red, blue) = (try zoo.insert("Tag", [:]), try zoo.insert("Tag", [:]))
        let animal = try zoo.insert("Animal", ["name": .text("Tom")])
        try zoo.save { $0.links = [try zoo.link(animal.id, "tags", added: [red.id, blue.id])] }
        let original = try zoo.contents()
        let (first, second) = (try zoo.deleteKept(animal.id), try zoo.deleteKept(red.id))
        #expect(try refusals(zoo, first) == [conflict(.joinedRowMissing, "tags", animal.id)])
        let result = try zoo.store.restore(first, .skippingConflicts)
        #expect(result.restored == RowSet([animal.id]))
        #expect(try zoo.members(animal.id, "tags") == [blue.id])
        _ = try zoo.store.restore(second, .strict)
        _ = try zoo.store.restore(first, .strict)
        #expect(try zoo.members(animal.id, "tags") == [red.id, blue.id])
        let now = try zoo.contents()
        let joins = original.rows.keys.filter { $0.hasPrefix("Z_") && !SystemTables.tableNames.contains($0) }
        #expect(joins.count == 1 && joins.allSatisfy { now.rows[$0] == original.rows[$0] })
        #expect(now.schema == original.schema)
    }

    @Test("a survivor that was deleted meanwhile, or refers to another row")
    func survivors() throws {
        let zoo = try ZooStore()
        let (keeper, other) = (try zoo.insert("Keeper", [:]), try zoo.insert("Person", [:]))
        let animals = try ["a", "b", "c"].map {
            try zoo.insert("Animal", ["name": .text($0), "keeper": .reference(keeper.id)])
        }
        let token = try zoo.deleteKept(keeper.id)
        _ = try zoo.store.delete(DeleteRequest(.rows(RowSet([animals[0].id]))))
        let moved = try zoo.snapshot(animals[1].id)
        try zoo.save { $0.updates = [try zoo.update(moved, ["keeper": .reference(other.id)])] }
        #expect(
            try refusals(zoo, token) == [
                conflict(.survivorMissing, "keeper", animals[0].id),
                conflict(.survivorRefersElsewhere, "keeper", animals[1].id),
            ])
        let result = try zoo.store.restore(token, .skippingConflicts)
        #expect(result.restored == RowSet([keeper.id]) && result.updated == RowSet([animals[2].id]))
        #expect(try zoo.value(zoo.snapshot(animals[1].id), "keeper") == .reference(other.id))
        let linked = try zoo.snapshot(animals[2].id)
        #expect(linked.values == animals[2].values)
        #expect(linked.version == animals[2].version + 2)
        #expect(try zoo.store.archivedDeletes().map(\.linkCount) == [2])
    }

    @Test("a survivor saved meanwhile gets its reference back as a new version; its saved values stay")
    func changedSurvivor() throws {
        let zoo = try ZooStore()
        let keeper = try zoo.insert("Keeper", [:])
        let animal = try zoo.insert("Animal", ["name": .text("Tom"), "keeper": .reference(keeper.id)])
        let token = try zoo.deleteKept(keeper.id)
        let cut = try zoo.snapshot(animal.id)
        try zoo.save { $0.updates = [try zoo.update(cut, ["age": .integer(7)])] }
        let result = try zoo.store.restore(token, .strict)
        #expect(result.updated == RowSet([animal.id]))
        let back = try zoo.snapshot(animal.id)
        #expect(back.version == cut.version + 2)
        #expect(try zoo.value(back, "age") == .integer(7))
        #expect(try zoo.value(back, "keeper") == .reference(keeper.id))
        #expect(try zoo.store.archivedDeletes().isEmpty)
    }

    @Test("a file that is missing beside the store")
    func missingFile() throws {
        let zoo = try ZooStore(.file)
        let big = Data(repeating: 5, count: 200_000)
        let rows = try (0..<2).map { _ in try zoo.insert("Everything", ["picture": .bytes(big)]) }
        let token = try zoo.deleteKept(rows[0].id, rows[1].id)
        let files = try zoo.store.pool.withReader { try ArchivedFile.files(of: KeySet([1]), $0) }
        let lost = try #require(files.first { $0.key == rows[0].id.key })
        #expect(zoo.store.saveRunner.externalData?.remove([lost.name]) == [])
        #expect(try refusals(zoo, token) == [conflict(.fileMissing, nil, rows[0].id)])
        #expect(try zoo.store.restore(token, .skippingConflicts).restored == RowSet([rows[1].id]))
        #expect(try zoo.value(zoo.snapshot(rows[1].id), "picture") == .bytes(big))
    }

    @Test("an unknown token, one that is used twice, and rows of another model")
    func tokens() throws {
        let zoo = try ZooStore()
        let unknown = RecoveryToken()
        #expect(throws: RecoveryError.unknownToken(unknown)) { try zoo.store.restore(unknown, .strict) }
        let (a, b) = (try zoo.insert("Tag", [:]), try zoo.insert("Tag", [:]))
        let token = try zoo.deleteKept(a.id)
        #expect(throws: RecoveryError.unknownToken(unknown)) { try zoo.store.restore(unknown, .strict) }
        var again = DeleteRequest(.rows(RowSet([b.id])))
        again.recovery = .archived(token)
        let before = try zoo.contents()
        #expect(throws: RecoveryError.tokenInUse(token)) { try zoo.store.delete(again) }
        #expect(try zoo.contents().difference(from: before) == "")
        try zoo.store.pool.withWriter { try $0.execute("UPDATE OSD_DELETES SET OSD_MODEL = 'other'") }
        #expect(throws: RecoveryError.otherModel(token)) { try zoo.store.restore(token, .skippingConflicts) }
        #expect(try zoo.store.purge(.token(token)).map(\.token) == [token])
    }

    @Test("errors and conflicts describe the remedy, without values")
    func words() {
        let id = ObjectID(space: .intern(storeIdentifier: "S", entityName: "Tag"), key: 4)
        let reasons: [RestoreConflict.Reason] = [
            .keyInUse, .notUnique(properties: ["label"]), .destinationRowMissing(.optional),
            .destinationRowMissing(.mandatory),
            .destinationInUse(.optional), .joinedRowMissing, .survivorMissing, .survivorRefersElsewhere, .fileMissing,
        ]
        for reason in reasons {
            let text = conflict(reason, "animals", id).description
            #expect(text.contains("Tag") && text.contains("p4"), "\(text)")
        }
        #expect(RecoveryError.conflicts([conflict(.keyInUse, nil, id)]).description.hasPrefix("Nothing was restored."))
    }
}
