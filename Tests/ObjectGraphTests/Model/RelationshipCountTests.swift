import Testing

@testable import ObjectGraph

@Suite("Numbers of destinations")
struct RelationshipCountTests {
    private func relationship(_ cardinality: Cardinality, minimum: Int, optional: Bool) -> Relationship {
        var relationship = Relationship("r", to: "E", cardinality, optional: optional)
        relationship.minimumCount = minimum
        return relationship
    }

    @Test("an optional relationship with a minimum of one refuses no number", arguments: [Cardinality.toOne, .toMany])
    func optionalMinimum(_ cardinality: Cardinality) {
        let found = relationship(cardinality, minimum: 1, optional: true)
        #expect(found.refusedCounts == nil)
        #expect(!found.isMandatory)
        #expect(found.fault(ofCount: 0) == nil && found.fault(ofCount: 1) == nil)
    }

    @Test("a save does not check an optional to-one relationship, whatever its minimum", arguments: 0...2)
    func optionalToOne(_ minimum: Int) {
        let found = relationship(.toOne, minimum: minimum, optional: true)
        #expect(!found.hasCount && !found.isMandatory)
    }

    @Test("a mandatory to-one relationship needs a destination, with and without a minimum", arguments: [0, 1])
    func mandatoryToOne(_ minimum: Int) {
        let found = relationship(.toOne, minimum: minimum, optional: false)
        #expect(found.isMandatory && found.hasCount)
    }

    @Test("a to-many relationship with a minimum may be empty if it is optional, and otherwise has that many members")
    func minimumOfMany() {
        let optional = relationship(.toMany, minimum: 3, optional: true)
        #expect(optional.refusedCounts == 1..<3)
        #expect(optional.leastCount == 3)
        #expect(!optional.isMandatory && optional.hasCount)
        #expect(optional.fault(ofCount: 0) == nil)
        #expect(optional.fault(ofCount: 2) == .tooFew(minimum: 3))
        let mandatory = relationship(.toMany, minimum: 1, optional: false)
        #expect(mandatory.refusedCounts == 0..<1)
        #expect(mandatory.leastCount == 1)
        #expect(mandatory.isMandatory && mandatory.hasCount)
        let free = relationship(.toMany, minimum: 0, optional: false)
        #expect(free.refusedCounts == nil)
        #expect(!free.isMandatory && !free.hasCount)
    }

    @Test("deletions refuse no number, an empty mandatory many-to-many relationship, or the numbers of the model")
    func countRules() throws {
        var post = EntityDescription("Post")
        post.relationships = [
            Relationship("tags", to: "Tag", .toMany, inverse: "posts", optional: false),
            Relationship("comments", to: "Comment", .toMany, inverse: "post", optional: false),
        ]
        var posts = Relationship("posts", to: "Post", .toMany, inverse: "tags")
        posts.minimumCount = 2
        var tag = EntityDescription("Tag")
        tag.relationships = [posts]
        var comment = EntityDescription("Comment")
        comment.relationships = [Relationship("post", to: "Post", .toOne, inverse: "comments")]
        let model = try Model([post, tag, comment])
        func refused(_ entity: String, _ name: String) throws -> [Range<Int>?] {
            let relationship = try #require(model.entity(named: entity)?.relationship(named: name))
            let rules: [DeleteRequest.CountRule] = [.unchecked, .notEmpty, .checked]
            return rules.map { $0.refusedCounts(of: relationship, in: model) }
        }
        let nothing: [Range<Int>?] = [nil, nil, nil]
        #expect(try refused("Post", "tags") == [nil, 0..<1, nil])
        #expect(try refused("Post", "comments") == nothing)
        #expect(try refused("Tag", "posts") == [nil, nil, 1..<2])
        #expect(try refused("Comment", "post") == nothing)
    }
}
