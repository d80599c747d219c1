import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct QueryDependenciesTests {
    let zoo: QueryZoo

    init() throws { zoo = try QueryZoo() }

    @Test("own attributes and a compared destination read only the fetched object")
    func ownOnly() throws {
        let expression = QueryExpression.and([
            .compare(.greater, try zoo.attribute("age"), .literal(.integer(1))),
            .compare(.equal, zoo.owner, .literal(.null)),
        ])
        let found = expression.dependencies(in: zoo.model)
        #expect(found.entitiesBeyondRoot.isEmpty)
        #expect(found.entityIndexes == [0])
        #expect(found.attributes.map(\.path) == ["age"])
        #expect(found.relationships.map(\.name) == ["owner"])
    }

    @Test("a followed destination, a collection and its filter read other objects")
    func others() throws {
        let one = QueryVariable(1)
        let chain = try zoo.attribute("name", of: zoo.owner, in: "Owner")
        #expect(chain.dependencies(in: zoo.model).entitiesBeyondRoot == [2])
        let counted = QueryExpression.count(
            .filtered(zoo.animals, one, try zoo.attribute("age", of: .variable(one))))
        let found = counted.dependencies(in: zoo.model)
        #expect(found.entitiesBeyondRoot == [0])
        #expect(found.attributes.map(\.path) == ["age"])
        #expect(found.readsBeyondRoot(1, in: zoo.model))
        #expect(!found.readsBeyondRoot(2, in: zoo.model))
        let siblings = QueryExpression.count(
            .toMany(zoo.owner, RelationshipReference(entityIndex: 2, index: 0, name: "animals")))
        #expect(siblings.dependencies(in: zoo.model).entitiesBeyondRoot == [0, 2])
    }

    @Test("a query reads what its sort keys read")
    func sortKeys() throws {
        var query = Query(entityIndex: 0)
        query.sort = [SortKey(try zoo.attribute("name", of: zoo.owner, in: "Owner"))]
        #expect(query.dependencies(in: zoo.model).entitiesBeyondRoot == [2])
    }
}
