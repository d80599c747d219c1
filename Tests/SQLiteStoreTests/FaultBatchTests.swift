import ObjectGraph
import SQLiteStore
import Testing

@Suite("Faults read in batches")
struct FaultBatchTests {
    private func faults(_ zoo: ZooStore, _ count: Int) throws -> (Graph, [Record]) {
        let person = try zoo.insert("Person", [:])
        for number in 0..<count {
            try zoo.insert("Animal", ["name": .text("\(number)"), "keeper": .reference(person.id)])
        }
        let graph = Graph(model: zoo.model, store: zoo.store)
        let ids = try graph.fetchIDs(Query(entityIndex: try zoo.entity("Animal").index))
        zoo.log.clear()
        return (graph, ids.compactMap { graph.record(for: $0) })
    }

    @Test("each batch with a used value is read by one statement")
    func statements() throws {
        let zoo = try ZooStore()
        let (graph, records) = try faults(zoo, 100)
        graph.batch(records, by: 20, along: [])
        #expect(zoo.log.statements.isEmpty)
        _ = records[0].value(0)
        #expect(zoo.log.statements.count == 1)
        for record in records[0..<20] { _ = record.value(0) }
        #expect(zoo.log.statements.count == 1)
        _ = records[99].value(0)
        #expect(zoo.log.statements.count == 2)
        for record in records { _ = record.value(0) }
        #expect(zoo.log.statements.count == 5)
        #expect(records.allSatisfy { !$0.isFault })
    }

    @Test("prefetched relationships are read with one statement for each relationship and batch")
    func readingAlong() throws {
        let zoo = try ZooStore()
        let (graph, records) = try faults(zoo, 40)
        graph.batch(records, by: 20, along: [["tags"], ["keeper", "animals"]])
        _ = records[0].value(0)
        let count = zoo.log.statements.count
        #expect(count <= 5, "\(zoo.log.statements)")
        let keeper = try #require(records[0].entity.relationship(named: "keeper"))
        let tags = try #require(records[0].entity.relationship(named: "tags"))
        for record in records[0..<20] {
            #expect(graph.destination(of: record, keeper) != nil)
            #expect(graph.members(of: record, tags).isEmpty)
        }
        #expect(zoo.log.statements.count == count)
    }
}
