import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Version hashes")
struct VersionHashTests {
    private func hash(_ change: (inout EntityDescription) -> Void) throws -> VersionHash {
        var entity = EntityDescription("Note")
        entity.attributes = [Attribute("text", .string), Attribute("count", .integer64)]
        entity.relationships = [Relationship("next", to: "Note", .toOne, inverse: "next")]
        change(&entity)
        let model = try Model([entity])
        return try #require(model.versionHashes[entity.name])
    }

    @Test("Settings that affect storage change the hash")
    func relevant() throws {
        let base = try hash { _ in }
        let changes: [(inout EntityDescription) -> Void] = [
            {
                $0.name = "Note2"; $0.relationships[0].destinationName = "Note2"
            }, { $0.isAbstract = true },
            { $0.versionHashModifier = "2" }, { $0.uniquenessConstraints = [["text"]] },
            { $0.attributes[0].name = "txt" }, { $0.attributes[0].type = .uri }, { $0.attributes[0].isOptional = true },
            { $0.attributes[0].allowsExternalStorage = true },
            {
                $0.attributes[0].allowsExternalStorage = true; $0.attributes[0].preservesValueOnDeletion = true
            },
            { $0.attributes[0].versionHashModifier = "2" }, { $0.attributes[0].derivation = "next.text" },
            { $0.attributes[0].isTransient = true }, { $0.relationships[0].maximumCount = 0 },
            { $0.relationships[0].minimumCount = 1 }, { $0.relationships[0].isOrdered = true },
            { $0.relationships[0].isOptional = false }, { _ = $0.attributes.popLast() },
        ]
        var seen: Set<VersionHash> = [base]
        for (number, change) in changes.enumerated() {
            #expect(seen.insert(try hash(change)).inserted, "change \(number)")
        }
    }

    @Test(
        "External storage and preservation on deletion each add the same byte, so that either alone gives the same hash"
    )
    func indistinguishable() throws {
        #expect(
            try hash { $0.attributes[0].allowsExternalStorage = true }
                == hash { $0.attributes[0].preservesValueOnDeletion = true })
    }

    @Test("Settings that do not affect storage leave the hash unchanged")
    func irrelevant() throws {
        let base = try hash { _ in }
        #expect(try hash { $0.attributes.reverse() } == base)
        #expect(try hash { $0.attributes[0].defaultValue = [.text("x")] } == base)
        #expect(try hash { $0.renamingIdentifier = "Memo" } == base)
        #expect(try hash { $0.relationships[0].deleteRule = .cascade } == base)
        #expect(try hash { $0.indexes = [FetchIndex(name: "i", propertyNames: ["text"])] } == base)
        // An inverse on the same entity is not included: the hash equals that without inverse.
        #expect(try hash { $0.relationships[0].inverseName = nil } == base)
    }

    @Test("An inverse of the same name on another entity is included")
    func equallyNamedInverse() throws {
        func model(inverse: String?) throws -> Model {
            var (left, right) = (EntityDescription("Left"), EntityDescription("Right"))
            left.relationships = [Relationship("peer", to: "Right", .toOne, inverse: inverse)]
            right.relationships = [Relationship("peer", to: "Left", .toOne, inverse: inverse)]
            return try Model([left, right])
        }
        #expect(try model(inverse: "peer").versionHashes != model(inverse: nil).versionHashes)
    }

    @Test("A composite's hash is that of its leaves in name order, however deep")
    func composites() {
        var flat = Attribute("place", .composite)
        flat.elements = [Attribute("b", .double), Attribute("a", .double)]
        var inner = Attribute("inner", .composite)
        inner.elements = [Attribute("a", .double)]
        var nested = Attribute("other", .composite, optional: true)
        nested.elements = [inner, Attribute("b", .double)]
        #expect(flat.versionHash == nested.versionHash)
    }

    @Test("A hash has 32 bytes")
    func size() {
        #expect(VersionHash(bytes: Array(repeating: 1, count: 31)) == nil)
        #expect(VersionHash(bytes: Array(repeating: 1, count: 32))?.description == String(repeating: "01", count: 32))
    }
}
