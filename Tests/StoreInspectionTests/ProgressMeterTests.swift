import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

@Suite("Progress of long operations")
struct ProgressMeterTests {
    @Test("The shares of the parts give the whole, which never decreases")
    func parts() {
        let meter = ProgressMeter()
        let second = meter.part(0.5...0.9)
        meter.part(0...0.5).report(0.5)
        #expect(meter.share == 0.25)
        let inner = second.part(0...0.5)
        inner.report(0.5)
        #expect(abs(meter.share - 0.6) < 1e-9)
        inner.report(0.1)
        #expect(abs(meter.share - 0.6) < 1e-9)
        second.report(7)
        #expect(abs(meter.share - 0.9) < 1e-9)
    }

    @Test("An operation without reports is polled for its progress once it has begun")
    func watched() {
        let meter = ProgressMeter()
        let answer = Locked<Double?>(nil)
        meter.part(0.5...1).watching({ answer.withLock { $0 } }) {
            #expect(meter.share == 0)
            answer.withLock { $0 = 0.5 }
            #expect(meter.share == 0.75)
        }
        answer.withLock { $0 = 1 }
        #expect(meter.share == 0.75)
    }

    private func withStore(_ body: (SQLiteStore) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var item = EntityDescription("Item")
        item.attributes = [Attribute("name", .string)]
        item.relationships = [Relationship("parent", to: "Item", .toOne)]
        let store = try SQLiteStore(
            model: try Model([item]), location: .file(folder.appendingPathComponent("a.store")))
        var changes = ChangeSet()
        changes.insertions = (0..<30_000).map {
            ChangeSet.Insertion(
                id: .temporary(entityName: "Item"), entityIndex: 0, values: [.text("item \($0)"), .null])
        }
        _ = try store.save(changes)
        try body(store)
    }

    /// The values of the meter while the body runs, and at the end.
    private func shares(_ body: (ProgressMeter) throws -> Void) throws -> [Double] {
        let meter = ProgressMeter()
        let found = Locked<[Double]>([])
        let isDone = Locked(false)
        let thread = Thread {
            while !isDone.withLock({ $0 }) {
                found.withLock { $0.append(meter.share) }
                usleep(200)
            }
        }
        thread.start()
        defer { isDone.withLock { $0 = true } }
        try body(meter)
        return found.withLock { $0 } + [meter.share]
    }

    /// Some values of the meter are in each of the ranges. Tried again if the meter was not read at the right time, as on a busy
    /// machine.
    private func expectShares(in ranges: [Range<Double>], _ body: (ProgressMeter) throws -> Void) throws {
        var missing = ranges
        for _ in 0..<50 where !missing.isEmpty {
            let shares = try shares(body)
            #expect(shares.last == 1 && shares == shares.sorted(), "\(shares)")
            missing.removeAll { shares.contains(where: $0.contains) }
        }
        #expect(missing.isEmpty)
    }

    @Test("A check reports its progress")
    func check() throws {
        try withStore { store in
            try expectShares(in: [0.001..<1]) { meter in
                let findings = try store.check(meter)
                #expect(findings == [])
            }
        }
    }

    @Test("Erasing reports the progress of deleting, and is not finished before its commit")
    func deleting() throws {
        try withStore { store in
            let meter = Locked<ProgressMeter?>(nil)
            let shares = Locked<[Double]>([])
            // One row stays, so that the table is not deleted as a whole.
            var request = DeleteRequest(.matching(Query(entityIndex: 0, predicate: try Self.allButOne(store))))
            request.observer = CommitWitness { shares.withLock { $0.append(meter.withLock { $0?.share } ?? -1) } }
            let result = try store.erase(request) { phase in
                guard case .deleting(let found) = phase else { return }
                meter.withLock { $0 = found }
                shares.withLock { $0.append(found.share) }
            }
            #expect(result.plan.deleted.count == 29_999)
            #expect(Set(shares.withLock { $0 }) == [0, 29_998.0 / 29_999])
            #expect(meter.withLock { $0?.share } == 1)
        }
    }

    private final class CommitWitness: DeleteObserver {
        private let willCommit: @Sendable () -> Void

        init(_ willCommit: @escaping @Sendable () -> Void) { self.willCommit = willCommit }

        func willCommit(_ page: RowSet) { willCommit() }
        func didCommit(_ result: SavedRows) {}
    }

    private static func allButOne(_ store: SQLiteStore) throws -> QueryExpression {
        try TypedPredicate.expression("name != 'item 7'", on: store.model.entities[0], in: store.model)
    }

    #if os(Linux)
    @Test("The bytes written by a thread are counted, and not those of others")
    func written() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.appendingPathComponent("written")
        let written = try #require(WrittenBytes())
        let other = DispatchSemaphore(value: 0)
        Thread {
            try? Data(count: 50_000).write(to: file)
            other.signal()
        }.start()
        other.wait()
        #expect(written.count == 0)
        try Data(count: 70_000).write(to: file)
        #expect(written.count == 70_000)
    }
    #endif

    @Test("Compacting reports its progress, and erasing its phase")
    func compacting() throws {
        try withStore { store in
            #if os(Linux)
            let ranges = [0.001..<0.8, 0.801..<1]
            #else
            let ranges = [0.001..<0.8]
            #endif
            try expectShares(in: ranges) { meter in
                let isLogEmpty = try store.compact(meter)
                #expect(isLogEmpty)
            }
            var phases: [String] = []
            var meters: [ProgressMeter] = []
            _ = try store.erase(DeleteRequest(.everything)) { phase in
                switch phase {
                case .deleting(let meter):
                    phases.append("deleting")
                    meters.append(meter)
                case .forgetting: phases.append("forgetting")
                case .compacting(let meter):
                    phases.append("compacting")
                    meters.append(meter)
                }
            }
            #expect(phases == ["deleting", "forgetting", "compacting"])
            #expect(meters.map(\.share) == [1, 1])
        }
    }
}
