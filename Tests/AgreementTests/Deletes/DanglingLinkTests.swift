import ObjectGraph
import Testing

@testable import SQLiteStore

/// References that a `noAction` rule leaves to deleted rows.
@Suite("Dangling references in fetches")
struct DanglingLinkTests {
    private static func model() throws -> Model {
        var parent = EntityDescription("Parent")
        parent.attributes = [Attribute("number", .integer64, optional: true)]
        parent.relationships = [Relationship("notes", to: "Note", .toMany, inverse: "parent", deleteRule: .noAction)]
        var note = EntityDescription("Note")
        note.attributes = [Attribute("number", .integer64, optional: true)]
        note.relationships = [Relationship("parent", to: "Parent", .toOne, inverse: "notes")]
        return try Model([parent, note])
    }

    @Test(
        "DV2: SQL and memory find no destination once another context has deleted it",
        arguments: [ObjectEvents.asTheyHappen, .collected])
    func deletedByOthers(events: ObjectEvents) throws {
        let model = try Self.model()
        let store = try SQLiteStore(model: model, location: .memory)
        let (face, otherFace) = (TestFace(), TestFace())
        let graph = Graph(model: model, store: store, face: face, events: events)
        let other = Graph(model: model, store: store, face: otherFace)
        let entity = try #require(model.entity(named: "Note"))
        let relationship = try #require(entity.relationship(named: "parent"))
        let parent = newMember(try #require(model.entity(named: "Parent")))
        parent.record.initializeValue(.integer(1), at: 0)
        let (linked, free) = (newMember(entity), newMember(entity))
        for member in [parent, linked, free] { graph.insert(member) }
        Graph.link(linked, relationship, to: [parent])
        try graph.save()
        try other.delete([try #require(other.record(for: parent.record.id))])
        graph.inbox.post(try other.save())
        for query in Self.queries(entity, relationship) {
            let found = try graph.fetch(query).map(\.id)
            #expect(found == [linked.record.id, free.record.id])
            #expect(try graph.fetchEvaluating(query).map(\.id) == found)
        }
    }

    @Test("a fault whose row others deleted gets no members")
    func linkedWhileMissing() throws {
        let model = try Self.model()
        let store = try SQLiteStore(model: model, location: .memory)
        let (face, otherFace) = (TestFace(), TestFace())
        let graph = Graph(model: model, store: store, face: face)
        let other = Graph(model: model, store: store, face: otherFace)
        let entity = try #require(model.entity(named: "Parent"))
        let notes = try #require(entity.relationship(named: "notes"))
        let note = newMember(try #require(model.entity(named: "Note")))
        let parent = newMember(entity)
        for member in [parent, note] { other.insert(member) }
        try other.save()
        try other.delete([parent.record])
        graph.inbox.post(try other.save())
        graph.mergeWaitingChanges()

        let fault = try #require(graph.record(for: parent.record.id))
        let member = try #require(graph.record(for: note.record.id))
        Graph.link(graph.member(fault), notes, to: [graph.member(member)])
        #expect(fault.isGone)
        #expect(!member.isUpdated)
        #expect(member.value(1).isNull)
        try graph.checkInvariants()
    }

    /// Notes without a parent, or whose parent has no number; all, by their parents.
    private static func queries(_ entity: Entity, _ relationship: EntityRelationship) -> [Query] {
        let destination = QueryExpression.toOne(
            .variable(.root),
            RelationshipReference(entityIndex: entity.index, index: relationship.index, name: relationship.name))
        let number = QueryExpression.attribute(
            destination, AttributeReference(entityIndex: relationship.destinationIndex, slot: 0, path: "number"))
        var sorted = Query(entityIndex: entity.index)
        sorted.sort = [SortKey(.identity(destination))]
        return [destination, number].map { value in
            Query(entityIndex: entity.index, predicate: .compare(.equal, value, .literal(.null)))
        } + [sorted]
    }
}
