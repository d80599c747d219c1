import ObjectGraph
import Testing

@testable import SQLiteStore

/// Children whose parent is mandatory, and toys whose child is mandatory.
enum Family {
    static func store(_ place: ZooStore.Place = .memory) throws -> ZooStore {
        try ZooStore(place, model: try Model(descriptions))
    }

    static let descriptions: [EntityDescription] = {
        var parent = EntityDescription("Parent")
        parent.attributes = [Attribute("name", .string, optional: true)]
        parent.relationships = [
            Relationship("children", to: "Child", .toMany, inverse: "parent", deleteRule: .cascade)
        ]
        var child = EntityDescription("Child")
        child.attributes = [Attribute("name", .string, optional: true)]
        child.relationships = [
            Relationship("parent", to: "Parent", .toOne, inverse: "children", optional: false),
            Relationship("toys", to: "Toy", .toMany, inverse: "child", deleteRule: .cascade),
        ]
        var toy = EntityDescription("Toy")
        toy.attributes = [Attribute("name", .string, optional: true)]
        toy.relationships = [Relationship("child", to: "Child", .toOne, inverse: "toys", optional: false)]
        return [parent, child, toy]
    }()
}

/// The refusals of a restore.
func refusals(_ zoo: ZooStore, _ token: RecoveryToken) throws -> [RestoreConflict] {
    let before = try zoo.contents()
    var found: [RestoreConflict] = []
    do {
        _ = try zoo.store.restore(token, .strict)
        Issue.record("nothing was refused")
    } catch RecoveryError.conflicts(let conflicts) {
        found = conflicts
    }
    #expect(try zoo.contents().difference(from: before) == "")
    #expect(try zoo.store.conflicts(restoring: token) == found)
    return found
}
