import Foundation
import ObjectGraph
import Testing

@Suite struct PollOrderTests {
    @Test("Changes are passed on in the order in which several threads read them")
    func order() {
        let order = PollOrder()
        let space = IDSpace.intern(storeIdentifier: "PollOrderTests", entityName: "Row")
        let count = Locked<Int64>(0)
        let passed = Locked<[Int64]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 {
                _ = try? order.poll {
                    let key = count.withLock { count in
                        count += 1
                        return count
                    }
                    return SavedChanges(deleted: [ObjectID(space: space, key: key)])
                } passingTo: { changes in
                    passed.withLock { $0 += changes.deleted.map(\.key) }
                }
            }
        }
        let expected: [Int64] = Array(1...4_000)
        #expect(passed.withLock { $0 } == expected)
    }

    @Test("Nothing is passed on if there are no changes, and a failure leaves the order usable")
    func failures() throws {
        let order = PollOrder()
        var passes = 0
        #expect(throws: CancellationError.self) {
            _ = try order.poll({ throw CancellationError() }, passingTo: { _ in passes += 1 })
        }
        let none = try order.poll({ SavedChanges() }, passingTo: { _ in passes += 1 })
        #expect(none.isEmpty && passes == 0)
        _ = try order.poll({ .overflow }, passingTo: { _ in passes += 1 })
        #expect(passes == 1)
    }
}
