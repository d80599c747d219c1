import Foundation
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

/// Whether the bits of to-many relationships in Apple's histories are read correctly: each must stand for a relationship that the
/// same transaction can have changed.
@Suite("To-many bits in Apple's histories", .realFiles)
struct ToManyBitTests {
    static let stores = AppleHistoryTests.stores + [.notes]

    /// Objects that a transaction changed, by name of their entities.
    private typealias Changed = [String: [HistoryChange]]

    @Test("each to-many relationship that history names can have changed in that transaction", arguments: stores)
    func possible(file: RealFile) throws {
        let copy = try RealFileCopy(file)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url), isReadOnly: true)
        var judged = 0
        var last: HistoryToken?
        while true {
            let page = try store.history(after: last, limit: 100)
            guard let end = page.last else { break }
            last = end.token
            for transaction in page { judged += try judge(transaction, copy.model) }
        }
        if file.path.hasPrefix("notes") { #expect(judged == 40) }
    }

    /// - Returns: the number of bits that were checked.
    private func judge(_ transaction: HistoryTransaction, _ model: Model) throws -> Int {
        let changed = Dictionary(grouping: transaction.changes, by: \.id.entityName)
        var judged = 0
        for change in transaction.changes {
            guard case .update(let properties) = change.kind, let entity = model.entity(named: change.id.entityName)
            else { continue }
            guard properties.ambiguousCount == 0, entity.toManyRelationships.count > 1 else { continue }
            for index in properties.toMany {
                let relationship = entity.relationships[index]
                judged += 1
                #expect(
                    canHaveChanged(relationship, changed, model),
                    "transaction \(transaction.number): \(entity.name).\(relationship.name)")
            }
        }
        return judged
    }

    /// A member was added, removed or moved; or, for a many-to-many relationship, the history names the other end too.
    private func canHaveChanged(_ relationship: EntityRelationship, _ changed: Changed, _ model: Model) -> Bool {
        let members = model.destination(of: relationship).familyIndexes.map { model[$0] }
        return members.contains { member in
            (changed[member.name] ?? []).contains { change in
                guard case .update(let properties) = change.kind else { return true }
                guard let name = relationship.relationship.inverseName else { return true }
                return member.names(of: properties).contains(name)
            }
        }
    }

    @Test("the order of an entity with many properties is not that of their names")
    func order() throws {
        let copy = try RealFileCopy(.notes)
        let account = try #require(copy.model.entity(named: "ICAccount"))
        let order = PropertyHashOrder(account.attributes.map(\.name) + account.relationships.map(\.name))
        let names = account.toManyRelationships.map(\.name).sorted {
            (order.places[$0] ?? 0) < (order.places[$1] ?? 0)
        }
        #expect(
            names == [
                "attachments", "media", "folders", "notes", "hashtags", "legacyTombstones", "serverChangeTokens",
                "deviceMigrationStates", "ownerInverse", "invitations", "assetSignatures", "inlineAttachments",
            ])
    }
}

/// Reading and writing without a known order.
@Suite("To-many bits whose order is unknown")
struct DoubtfulBitTests {
    /// Forty attributes and three to-many relationships.
    private func columns(attributes count: Int) throws -> (ChangedColumns, Entity) {
        var description = EntityDescription("Wide")
        description.attributes = (0..<count).map { Attribute("a\($0)", .integer64, optional: true) }
        description.relationships = ["x", "y", "z"].map { Relationship($0, to: "Wide", .toMany) }
        let model = try Model([description])
        let entity = try #require(model.entity(named: "Wide"))
        return (ChangedColumns(entity: entity, model: model), entity)
    }

    @Test("one bit stands for any of the to-many relationships")
    func ambiguous() throws {
        let (columns, entity) = try columns(attributes: 40)
        var bytes = Data(repeating: 0, count: (columns.bitCount + 7) / 8)
        let bit = columns.bitCount - 1
        bytes[bit / 8] |= 0x80 >> UInt8(bit % 8)
        let read = columns.properties(in: bytes)
        #expect(read.ambiguousCount == 1 && !read.mayMissSome)
        #expect(entity.names(of: read) == ["x", "y", "z"])
    }

    @Test("writing sets the bits of all of them, so that no reader misses a change")
    func written() throws {
        let (columns, entity) = try columns(attributes: 40)
        let y = try #require(entity.relationship(named: "y")).index
        let read = columns.properties(in: columns.bytes(slots: [0], toMany: [y]))
        #expect(read.ambiguousCount == 0 && entity.names(of: read) == ["a0", "x", "y", "z"])
        let none = columns.properties(in: columns.bytes(slots: [0], toMany: []))
        #expect(entity.names(of: none) == ["a0"])
    }

    @Test("with a known order, one bit is one relationship", arguments: [10, 29, 56])
    func confirmed(count: Int) throws {
        let (columns, entity) = try columns(attributes: count)
        for relationship in entity.toManyRelationships {
            let read = columns.properties(in: columns.bytes(slots: [], toMany: [relationship.index]))
            #expect(read.ambiguousCount == 0 && entity.names(of: read) == [relationship.name])
        }
    }

    @Test("the hash equals that of Apple's strings")
    func hash() {
        // Computed by hand: four units at a time, the rest one by one, and the sum shifted by its length.
        let two = (2 * 257 + 97) * 257 + 98
        #expect(PropertyHashOrder.hash("ab") == UInt64(two + two << 2))
        #expect(PropertyHashOrder.hash("") == 0)
    }
}
