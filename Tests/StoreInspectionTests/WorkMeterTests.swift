import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("How far long work is")
struct WorkMeterTests {
    @Test("Parts tell the whole, which never falls")
    func parts() {
        let meter = WorkMeter()
        let second = meter.part(0.5...0.9)
        meter.part(0...0.5).tell(0.5)
        #expect(meter.share == 0.25)
        let inner = second.part(0...0.5)
        inner.tell(0.5)
        #expect(abs(meter.share - 0.6) < 1e-9)
        inner.tell(0.1)
        #expect(abs(meter.share - 0.6) < 1e-9)
        second.tell(7)
        #expect(abs(meter.share - 0.9) < 1e-9)
    }

    @Test("Work that does not tell is asked once it has begun")
    func watched() {
        let meter = WorkMeter()
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
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("meter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
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

    /// What the meter says while the body runs, and at the end.
    private func shares(_ body: (WorkMeter) throws -> Void) throws -> [Double] {
        let meter = WorkMeter()
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

    @Test("A check tells how far it is")
    func check() throws {
        try withStore { store in
            var findings: [StoreFinding]?
            let shares = try shares { findings = try store.check($0) }
            #expect(findings == [])
            #expect(shares.last == 1 && shares == shares.sorted(), "\(shares)")
            #expect(shares.contains { $0 > 0 && $0 < 1 }, "\(shares)")
        }
    }

    @Test("Compacting tells how far it is, and erasing what it is at")
    func compacting() throws {
        try withStore { store in
            var isLogEmpty = false
            let shares = try shares { isLogEmpty = try store.compact($0) }
            #expect(isLogEmpty)
            #expect(shares.last == 1 && shares == shares.sorted(), "\(shares)")
            #expect(shares.contains { $0 > 0 && $0 < 1 }, "\(shares)")
            var phases: [ErasurePhase] = []
            let meter = WorkMeter()
            _ = try store.erase(DeleteRequest(.everything), meter: meter) { phases.append($0) }
            #expect(phases == [.deleting, .forgetting, .compacting])
            #expect(meter.share == 1)
        }
    }
}
