import CoreData
import TestSupport
import Testing

/// Every kind of relationship, delete rule and inverse with `NSBatchDeleteRequest`: with every result type, with and without a
/// limit, in one store and in two.
@Suite("Batch delete requests: rules, shapes, inverses, results, limits and stores in every combination")
struct BatchDeleteMatrixTests {
    private struct Way: CustomStringConvertible {
        let cell: BatchDeleteMatrixCell
        /// The cell's, made once: its hashes take longer than a delete.
        let model: NSManagedObjectModel
        let resultType: NSBatchDeleteRequestResultType
        let limit: Int?
        let stores: Int
        let seed: UInt64

        var description: String {
            "\(cell), result \(resultType), limit \(limit.map(String.init) ?? "none"), \(stores) stores, seed \(seed)"
        }
    }

    @Test(
        "Deleted rows, result and refusal match the reference",
        arguments: BatchDeleteMatrixCell.all)
    func cell(_ cell: BatchDeleteMatrixCell) throws {
        var seed: UInt64 = 0
        let model = cell.model()
        let types: [NSBatchDeleteRequestResultType] = [
            .resultTypeStatusOnly, .resultTypeCount, .resultTypeObjectIDs,
        ]
        for stores in 1...2 {
            for limit in [nil, 3] {
                for resultType in types {
                    seed += 1
                    try check(
                        Way(cell: cell, model: model, resultType: resultType, limit: limit, stores: stores, seed: seed))
                }
            }
        }
    }

    private func check(_ way: Way) throws {
        var random = SeededGenerator(seed: way.seed)
        let graph = BatchDeleteMatrixGraph(way.cell, stores: way.stores, &random)
        let expected = graph.deletingPicked(limit: way.limit)
        let world = try World(graph, way.model, stores: way.stores)
        let fetch = world.stack.request("Owner", NSPredicate(format: "isPicked == YES"))
        fetch.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        fetch.fetchLimit = way.limit ?? 0
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = way.resultType
        let before = try world.members()
        if let refusal = expected.refusal {
            let error = #expect(throws: CocoaError.self, "\(way)") { try world.stack.context.execute(request) }
            check(error, refusal, way)
            #expect(try world.members() == before, "\(way)")
            #expect(try world.numbers() == Set(graph.rows.map(\.number)), "\(way)")
            return
        }
        let result = try #require(try world.stack.context.execute(request) as? NSBatchDeleteResult)
        check(result, expected, world, way)
        #expect(try world.numbers() == Set(graph.rows.map(\.number)).subtracting(expected.going), "\(way)")
        #expect(try world.members() == graph.members(after: expected).mapValues(world.comparable), "\(way)")
    }

    private func check(_ error: CocoaError?, _ refusal: BatchDeleteMatrixGraph.Refusal, _ way: Way) {
        // One for each entity and store that refuses.
        let errors = error?.userInfo[NSDetailedErrorsKey] as? [CocoaError] ?? [error].compactMap { $0 }
        #expect(!errors.isEmpty, "\(way)")
        for error in errors {
            #expect(error.errorCode == (refusal == .denied ? 1600 : 134050), "\(way)")
            guard refusal == .mandatory else { continue }
            let kind = way.cell.isManyToMany ? "MTM" : way.cell.isToMany ? "OTM" : "OTO"
            let names = way.cell.ownerNames.map {
                "Batch delete failed due to mandatory \(kind) nullify inverse on \($0)/members"
            }
            let reason = error.userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? ""
            #expect(names.contains { reason.hasSuffix($0) }, "\(way): \(reason)")
        }
    }

    private func check(
        _ result: NSBatchDeleteResult, _ expected: BatchDeleteMatrixGraph.Outcome, _ world: World, _ way: Way
    ) {
        #expect(result.resultType == way.resultType)
        switch way.resultType {
        case .resultTypeStatusOnly:
            #expect(result.result as? Bool == true, "\(way)")
            return
        case .resultTypeCount: #expect(result.result as? Int == expected.asked.count, "\(way)")
        case .resultTypeObjectIDs:
            let ids = result.result as? [NSManagedObjectID] ?? []
            #expect(ids.count == expected.asked.count, "\(way)")
            #expect(world.numbers(ids) == Set(expected.asked), "\(way)")
        }
        #expect(world.numbers(result.cascadedObjectIDs) == expected.going.subtracting(expected.asked), "\(way)")
        #expect(world.numbers(result.updatedObjectIDs) == expected.updated, "\(way)")
    }

    // MARK: Depth

    @Test("A cascade follows any number of levels, and cycles", arguments: [1, 2])
    func depth(_ stores: Int) throws {
        let cell = BatchDeleteMatrixCell(shape: .selfReferential, rule: .cascadeDeleteRule, inverse: .optional)
        let stack = try TestStack(model: cell.model())
        if stores == 2 { try stack.add(.memorySQLite, "second") }
        // Each refers to the next; the last ones refer back to the first.
        for (store, persistentStore) in stack.coordinator.persistentStores.enumerated() {
            let chain = (0..<6).map { stack.insert("Owner", ["number": $0, "isPicked": $0 == 0]) }
            for object in chain { stack.context.assign(object, to: persistentStore) }
            for (one, next) in zip(chain, chain.dropFirst()) { next.setValue(one, forKey: "owner") }
            if store == 1 { chain[0].setValue(chain[5], forKey: "owner") }
        }
        let apart = stack.insert("Owner", ["number": 9, "isPicked": false])
        try stack.context.save()
        let request = NSBatchDeleteRequest(
            fetchRequest: stack.request("Owner", NSPredicate(format: "isPicked == YES")))
        request.resultType = .resultTypeCount
        let result = try #require(try stack.context.execute(request) as? NSBatchDeleteResult)
        #expect(result.result as? Int == stores)
        #expect(result.cascadedObjectIDs.count == 5 * stores)
        let left = try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Owner"))
        #expect(left.map(\.objectID) == [apart.objectID])
    }
}

/// The filled stores of a graph.
private final class World {
    let stack: TestStack
    private let cell: BatchDeleteMatrixCell
    private var numberByID: [NSManagedObjectID: Int] = [:]

    init(_ graph: BatchDeleteMatrixGraph, _ model: NSManagedObjectModel, stores: Int) throws {
        cell = graph.cell
        stack = try TestStack(model: model)
        for number in 1..<stores { try stack.add(.memorySQLite, "store \(number)") }
        let persistentStores = stack.coordinator.persistentStores
        var objects: [Int: NSManagedObject] = [:]
        for row in graph.rows {
            let object = stack.insert(row.entityName, ["number": row.number, "isPicked": row.isPicked])
            stack.context.assign(object, to: persistentStores[row.store])
            objects[row.number] = object
        }
        for (owner, members) in graph.members {
            let linked = members.compactMap { objects[$0] }
            let value: Any? =
                switch cell.shape {
                case .oneToOne: linked.first
                case .ordered: NSOrderedSet(array: linked)
                default: Set(linked)
                }
            objects[owner]?.setValue(value, forKey: "members")
        }
        try stack.context.save()
        for (number, object) in objects { numberByID[object.objectID] = number }
    }

    func numbers(_ ids: [NSManagedObjectID]) -> Set<Int> { Set(ids.compactMap { numberByID[$0] }) }

    private func objects(_ name: String) throws -> [NSManagedObject] {
        try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: name))
    }

    /// All rows in the stores.
    func numbers() throws -> Set<Int> {
        let names = cell.isSelfReferential ? ["Owner"] : ["Owner", "Member"]
        return try Set(names.flatMap(objects).map { try #require($0.value(forKey: "number") as? Int) })
    }

    /// Members of each owner in the stores.
    func members() throws -> [Int: [Int]] {
        try objects("Owner").reduce(into: [:]) { all, owner in
            let members: [NSManagedObject] =
                switch owner.value(forKey: "members") {
                case let one as NSManagedObject: [one]
                case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
                case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
                default: []
                }
            let numbers = members.compactMap { $0.value(forKey: "number") as? Int }
            all[try #require(owner.value(forKey: "number") as? Int)] = comparable(numbers)
        }
    }

    /// Where no order is stored, any order is accepted.
    func comparable(_ numbers: [Int]) -> [Int] { cell.shape == .ordered ? numbers : numbers.sorted() }
}
