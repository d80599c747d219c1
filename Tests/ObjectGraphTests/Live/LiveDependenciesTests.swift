import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Dependencies of followed queries")
struct LiveDependenciesTests {
    let zoo: QueryZoo

    init() throws { zoo = try QueryZoo() }

    private func dependencies(_ predicate: QueryExpression, entity: Int = 0) -> LiveDependencies {
        LiveDependencies(LiveQuery(Query(entityIndex: entity, predicate: predicate)), in: zoo.model)
    }

    private func mask(_ name: String, _ entityName: String) throws -> PropertyMask {
        PropertyMask(slot: try #require(zoo.model.entity(named: entityName)?.attribute(named: name)?.slots.first))
    }

    @Test("A query of own attributes reads these of the fetched object alone")
    func ownAttributes() throws {
        let found = dependencies(.compare(.greater, try zoo.attribute("age"), .literal(.integer(1))))
        #expect(!found.readsOtherObjects)
        #expect(found.nodes[0].mask.intersects(try mask("age", "Animal")))
        #expect(!found.nodes[0].mask.intersects(try mask("name", "Animal")))
        #expect(found.nodes[0].mask.intersects(.existence))
    }

    @Test("A key path has a node for its destination, whose reference the fetched object reads")
    func keyPath() throws {
        let found = dependencies(
            .compare(.equal, try zoo.attribute("name", of: zoo.owner, in: "Owner"), .literal(.text("Ada"))))
        #expect(found.nodes.map(\.entityIndex) == [0, 2])
        #expect(found.paths == [["owner"]])
        let owner = try #require(zoo.model.entity(named: "Animal")?.relationship(named: "owner"))
        #expect(found.nodes[0].mask.intersects(PropertyMask(owner)))
        #expect(found.nodes[1].mask.intersects(try mask("name", "Owner")))
        #expect(found.nodes[1].link?.isLostSilently == false)
    }

    @Test("Variables stand for the members that they are bound to")
    func variables() throws {
        let one = QueryVariable(1)
        let test = QueryExpression.compare(.less, try zoo.attribute("age", of: .variable(one)), .literal(.integer(3)))
        let found = dependencies(.not(.all(.filtered(zoo.animals, one, test), one, test)), entity: 2)
        #expect(found.nodes.map(\.entityIndex) == [2, 0])
        #expect(found.nodes[1].mask.intersects(try mask("age", "Animal")))
        #expect(!found.nodes[1].mask.intersects(try mask("weight", "Animal")))
    }

    @Test("Two ways to one relationship share a node, and the chain goes on from there")
    func sharedNodes() throws {
        let siblings = QueryExpression.count(
            .toMany(zoo.owner, RelationshipReference(entityIndex: 2, index: 0, name: "animals")))
        let name = try zoo.attribute("name", of: zoo.owner, in: "Owner")
        let found = dependencies(
            .and([.compare(.greater, siblings, .literal(.integer(1))), .compare(.equal, name, .literal(.null))]))
        #expect(found.nodes.map(\.entityIndex) == [0, 2, 0])
        #expect(found.paths == [["owner"], ["owner", "animals"]])
    }

    @Test("Properties that the model lacks cannot be followed")
    func unknownProperties() {
        let reference = AttributeReference(entityIndex: 0, slot: 99, path: "missing")
        #expect(dependencies(.attribute(.variable(.root), reference)).obstacle == .unknownProperty)
    }
}
