import ObjectGraph
import StoreTestSupport
import Testing

@testable import SQLiteStore

@Suite("Delete rules, shapes, inverses, limits and stores: every combination")
struct DeleteMatrixTests {
    enum Way: CaseIterable { case byStore, byContext, byObject }

    private func delete(_ world: DeleteMatrixStore, _ way: Way) throws {
        if way == .byStore {
            var request = DeleteRequest(.matching(world.query))
            request.counts = .checked
            let plan = try world.store.requireSetDeleting().plan(request)
            #expect(plan.refusals.isEmpty != world.cell.isRefused, "\(world.cell)")
            let result = try world.store.requireSetDeleting().delete(request)
            #expect(result.plan == plan, "\(world.cell)")
            return
        }
        let graph = Graph(model: world.model, store: world.store, face: TestFace())
        if way == .byContext {
            try graph.delete(matching: world.query)
        } else {
            try graph.delete(graph.fetch(world.query))
        }
        try graph.checkInvariants()
        try graph.save()
        try graph.checkInvariants()
    }

    @Test("deleted rows, nullified references and refusals are as expected", arguments: DeleteMatrixCell.all)
    func cell(_ cell: DeleteMatrixCell) throws {
        for way in Way.allCases {
            let world = try DeleteMatrixStore(cell)
            // Only a refusal is compared with it.
            let before = cell.isRefused ? try StoreDump(world.own) : nil
            do {
                try delete(world, way)
                #expect(!cell.isRefused, "\(cell), \(way)")
                try check(world, way)
            } catch let error where error is ValidationError || error is DeleteError {
                #expect(cell.isRefused, "\(cell), \(way): \(error)")
                if let before {
                    let difference = try StoreDump(world.own).difference(from: before)
                    #expect(difference == nil, "\(cell), \(way), refused: \(difference ?? "")")
                }
            }
            #expect(try world.snapshots([world.bystander])[world.bystander]?.version == 1, "\(cell), \(way)")
        }
    }

    private func check(_ world: DeleteMatrixStore, _ way: Way) throws {
        let cell = world.cell
        let gone = Set(world.asked)
        let rows = try world.snapshots(world.owners + world.members.flatMap { $0 })
        var going = gone
        if cell.takesDestinations {
            going.formUnion(zip(world.owners, world.members).filter { gone.contains($0.0) }.flatMap(\.1))
        }
        // Owners whose own owner is mandatory are deleted with the last of them only, which a limit leaves out.
        #expect(
            Set(rows.keys) == Set(world.owners + world.members.flatMap { $0 }).subtracting(going), "\(cell), \(way)")
        for (owner, members) in zip(world.owners, world.members) {
            for member in members {
                guard let row = rows[member] else { continue }
                let isCut = gone.contains(owner) && cell.clearsDestinations
                #expect(row.version == (isCut ? 2 : 1), "\(cell), \(way): version of \(member)")
                guard let owners = try world.owners(of: row) else { continue }
                // Join rows are deleted with either end; keys stay as the rule says.
                let isLost = gone.contains(owner) && (cell.clearsDestinations || cell.shape == .manyToMany)
                #expect(owners == (isLost ? [] : [owner]), "\(cell), \(way): owners of \(member)")
            }
        }
        if let count = try world.joinRowCount() {
            #expect(count == (world.owners.count - gone.count) * cell.width, "\(cell), \(way): join rows")
        }
    }
}
