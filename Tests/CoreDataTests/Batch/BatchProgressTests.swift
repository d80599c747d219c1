import CoreData
import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Progress and cancellation of batch requests.
@Suite("Batch requests report progress, and can be cancelled")
struct BatchProgressTests {
    private func stack(_ kind: TestStack.Kind = .file, tags count: Int = 0) throws -> TestStack {
        let stack = try TestStack(kind)
        for number in 0..<count { stack.insert("Tag", ["label": "\(number)"]) }
        try stack.context.save()
        return stack
    }

    private func rows(_ count: Int) -> [[String: Any]] { (0..<count).map { ["label": "\($0)"] } }

    private func update(_ label: String) -> NSBatchUpdateRequest {
        let request = NSBatchUpdateRequest(entityName: "Tag")
        request.propertiesToUpdate = ["label": label]
        return request
    }

    // MARK: Progress

    @Test(
        "An insert counts the rows it writes; it is finished once they are committed",
        arguments: TestStack.Kind.allCases)
    func insertCounts(_ kind: TestStack.Kind) throws {
        let stack = try stack(kind)
        let progress = Progress(totalUnitCount: 0)
        var rest = rows(10)[...]
        var seen: [Int64] = []
        let request = NSBatchInsertRequest(entityName: "Tag") { (row: NSMutableDictionary) in
            seen.append(progress.completedUnitCount)
            guard let next = rest.popFirst() else { return true }
            row.addEntries(from: next)
            return false
        }
        request.progress = progress
        try stack.context.execute(request)
        #expect(seen == (kind == .file ? Array(0...10) : Array(repeating: 0, count: 11)))
        #expect(progress.totalUnitCount == 10)
        #expect(progress.isFinished)
        #expect(try stack.count("Tag") == 10)
    }

    @Test("A batch without rows is finished, whatever the expected number", arguments: [0, 1, 10] as [Int64])
    func noRows(expected: Int64) throws {
        let stack = try stack()
        let insert = NSBatchInsertRequest(entityName: "Tag", objects: [])
        let handled = NSBatchInsertRequest(entityName: "Tag") { (_: NSMutableDictionary) in true }
        let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Tag"))
        for (request, progress) in [
            (insert as NSPersistentStoreRequest, Progress(totalUnitCount: expected)),
            (handled, Progress(totalUnitCount: expected)), (delete, Progress(totalUnitCount: expected)),
            (update("x"), Progress(totalUnitCount: expected)),
        ] {
            (request as? NSBatchInsertRequest)?.progress = progress
            (request as? NSBatchDeleteRequest)?.progress = progress
            (request as? NSBatchUpdateRequest)?.progress = progress
            try stack.context.execute(request)
            #expect(progress.isFinished, "\(type(of: request))")
        }
    }

    @Test("The total is the number of rows in a list; for a handler, the expected number or indeterminate")
    func insertTotals() throws {
        let stack = try stack()
        let listed = NSBatchInsertRequest(entityName: "Tag", objects: rows(7))
        listed.progress = Progress(totalUnitCount: 0)
        try stack.context.execute(listed)
        #expect(listed.progress?.totalUnitCount == 7)
        for expected in [0, 5, 40] as [Int64] {
            let progress = Progress(totalUnitCount: expected)
            var left = 20
            var totals: Set<Int64> = []
            var isDone = false
            let request = NSBatchInsertRequest(entityName: "Category") { (row: NSMutableDictionary) in
                if left < 20 { totals.insert(progress.totalUnitCount) }
                isDone = isDone || progress.isFinished
                left -= 1
                row["name"] = "\(expected) \(left)"
                return left < 0
            }
            request.progress = progress
            try stack.context.execute(request)
            #expect(totals == [expected == 0 ? -1 : expected])
            #expect(!isDone)
            #expect(progress.totalUnitCount == 20 && progress.isFinished)
        }
    }

    @Test("An update counts the matching rows; a delete counts the deleted rows and the nullified links of survivors")
    func updateAndDeleteCounts() throws {
        let stack = try stack(tags: 12)
        let request = update("x")
        request.predicate = NSPredicate(format: "label < '2'")
        request.resultType = .updatedObjectsCountResultType
        request.progress = Progress(totalUnitCount: 0)
        let updated = try (stack.context.execute(request) as? NSBatchUpdateResult)?.result as? Int
        #expect(updated == 4)
        #expect(request.progress?.totalUnitCount == 4 && request.progress?.isFinished == true)

        let keeper = stack.insert("Person")
        for number in 0..<3 { stack.insert("Animal", ["name": "\(number)", "keeper": keeper]) }
        try stack.context.save()
        let delete = NSBatchDeleteRequest(fetchRequest: stack.request("Person"))
        delete.progress = Progress(totalUnitCount: 0)
        try stack.context.execute(delete)
        #expect(delete.progress?.totalUnitCount == 4 && delete.progress?.isFinished == true)
    }

    @Test(
        "Observed, many rows are written in parts with progress after each; the result is equal",
        arguments: TestStack.Kind.allCases
    )
    func parts(_ kind: TestStack.Kind) throws {
        let (stack, count) = (try stack(kind), 50_000)
        try stack.context.execute(NSBatchInsertRequest(entityName: "Tag", objects: rows(count)))
        let keep = NSPredicate(format: "label ENDSWITH '7'")
        let seen = SeenStatements(stack)
        let request = update("new")
        request.predicate = NSCompoundPredicate(notPredicateWithSubpredicate: keep)
        request.progress = Progress(totalUnitCount: 0)
        try stack.context.execute(request)
        #expect(seen.count(startingWith: "UPDATE ZTAG") == 3)
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'new'")) == 45_000)
        #expect(try stack.count("Tag", keep) == 5_000)

        let delete = NSBatchDeleteRequest(fetchRequest: stack.request("Tag", NSPredicate(format: "label == 'new'")))
        delete.progress = Progress(totalUnitCount: 0)
        try stack.context.execute(delete)
        #expect(seen.count(startingWith: "DELETE FROM ZTAG") == 3)
        #expect(delete.progress?.totalUnitCount == 45_000)
        #expect(try stack.count("Tag") == 5_000)
    }

    @Test("Without an observed progress, the request is a single statement")
    func unwatched() throws {
        let stack = try stack()
        try stack.context.execute(NSBatchInsertRequest(entityName: "Tag", objects: rows(30_000)))
        let seen = SeenStatements(stack)
        try stack.context.execute(update("new"))
        #expect(seen.count(startingWith: "UPDATE ZTAG") == 1)
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        #expect(seen.count(startingWith: "DELETE FROM ZTAG") == 1)
    }

    @Test("The request is a part of the current progress; the request's own progress takes precedence")
    func current() throws {
        let stack = try stack(tags: 3)
        let whole = Progress(totalUnitCount: 4)
        let requests = [
            NSBatchInsertRequest(entityName: "Tag", objects: rows(2)), update("x"),
            NSBatchDeleteRequest(fetchRequest: stack.request("Tag")),
        ]
        for (place, request) in requests.enumerated() {
            whole.becomeCurrent(withPendingUnitCount: 1)
            try stack.context.execute(request)
            whole.resignCurrent()
            #expect(whole.completedUnitCount == Int64(place) + 1)
        }
        // With nothing left to delete, the request is finished, too.
        whole.becomeCurrent(withPendingUnitCount: 1)
        try stack.context.execute(requests[2])
        whole.resignCurrent()
        #expect(whole.isFinished)
    }

    @Test("With several stores, the rows of all stores are counted")
    func severalStores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        for number in 0..<5 {
            let tag = stack.insert("Tag")
            if number > 2 { stack.context.assign(tag, to: second) }
        }
        try stack.context.save()
        for request in [update("x"), NSBatchDeleteRequest(fetchRequest: stack.request("Tag"))] {
            let progress = Progress(totalUnitCount: 0)
            (request as? NSBatchUpdateRequest)?.progress = progress
            (request as? NSBatchDeleteRequest)?.progress = progress
            try stack.context.execute(request)
            #expect(progress.totalUnitCount == 5 && progress.isFinished)
        }
    }

    @Test("A copied request shares the progress; a plan reports it when it is executed")
    func copies() throws {
        let stack = try stack(tags: 2)
        let progress = Progress(totalUnitCount: 0)
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Tag"))
        request.progress = progress
        #expect((request.copy() as? NSBatchDeleteRequest)?.progress === progress)
        let plan = try stack.context.deletionPlan(for: request)
        #expect(progress.completedUnitCount == 0 && !progress.isFinished)
        try plan.execute()
        #expect(progress.totalUnitCount == 2 && progress.isFinished)
        let insert = NSBatchInsertRequest(entityName: "Tag", objects: [])
        insert.progress = progress
        #expect((insert.copy() as? NSBatchInsertRequest)?.progress === progress)
        let update = update("x")
        update.progress = progress
        #expect((update.copy() as? NSBatchUpdateRequest)?.progress === progress)
    }

    // MARK: Cancelling

    @Test("A cancelled insert leaves no rows", arguments: TestStack.Kind.allCases, [true, false])
    func cancelledInsert(_ kind: TestStack.Kind, hasConstraint: Bool) throws {
        let stack = try stack(kind)
        let entity = hasConstraint ? "Category" : "Tag"
        let progress = Progress(totalUnitCount: 0)
        var count = 0
        let request = NSBatchInsertRequest(entityName: entity) { (row: NSMutableDictionary) in
            count += 1
            if count == 30 { progress.cancel() }
            row[hasConstraint ? "name" : "label"] = "\(count)"
            return count > 1000
        }
        request.progress = progress
        #expect(code { try stack.context.execute(request) } == CocoaError.userCancelled.rawValue)
        #expect(count == 30)
        #expect(!progress.isFinished)
        #expect(try stack.count(entity) == 0)
        // The store is unchanged, and accepts the next request.
        try stack.context.execute(NSBatchInsertRequest(entityName: "Tag", objects: rows(1)))
        #expect(try stack.count("Tag") == 1)
    }

    @Test("A request whose progress, or whose parent progress, is cancelled does nothing")
    func cancelledBefore() throws {
        let stack = try stack(tags: 3)
        let cancelled = Progress(totalUnitCount: 1)
        cancelled.cancel()
        let (update, delete) = (update("x"), NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        let insert = NSBatchInsertRequest(entityName: "Tag", objects: rows(2))
        for request in [insert, update, delete] {
            cancelled.becomeCurrent(withPendingUnitCount: 1)
            #expect(code { try stack.context.execute(request) } == 3072)
            cancelled.resignCurrent()
        }
        (insert.progress, update.progress, delete.progress) = (cancelled, cancelled, cancelled)
        for request in [insert, update, delete] { #expect(code { try stack.context.execute(request) } == 3072) }
        #expect(try stack.count("Tag", NSPredicate(format: "label != 'x'")) == 3)
    }

    /// Cancels after a number of statements of a kind.
    private func cancel(_ progress: Progress, _ stack: TestStack, at number: Int, of start: String) -> SeenStatements {
        let seen = SeenStatements(stack)
        seen.onCount(number, startingWith: start) { progress.cancel() }
        return seen
    }

    @Test(
        "An update and a delete that are cancelled half way leave the store unchanged",
        arguments: TestStack.Kind.allCases)
    func cancelledHalfWay(_ kind: TestStack.Kind) throws {
        let stack = try stack(kind)
        try stack.context.execute(NSBatchInsertRequest(entityName: "Tag", objects: rows(45_000)))
        let update = update("x")
        let delete = NSBatchDeleteRequest(
            fetchRequest: stack.request("Tag", NSPredicate(format: "NOT label ENDSWITH '77'")))
        for (request, start) in [(update, "UPDATE ZTAG"), (delete, "DELETE FROM ZTAG")] {
            let progress = Progress(totalUnitCount: 0)
            (request as? NSBatchUpdateRequest)?.progress = progress
            (request as? NSBatchDeleteRequest)?.progress = progress
            let seen = cancel(progress, stack, at: 2, of: start)
            #expect(code { try stack.context.execute(request) } == 3072)
            // The current statement is interrupted, and none follows.
            #expect(seen.count(startingWith: start) == 2)
            #expect(progress.completedUnitCount == 20_000 && !progress.isFinished)
        }
        #expect(try stack.count("Tag", NSPredicate(format: "label != 'x'")) == 45_000)
        delete.progress = nil
        try stack.context.execute(delete)
        #expect(try stack.count("Tag") == 450)
    }

    @Test("A request that waits for another writer stops waiting")
    func cancelledWhileWaiting() throws {
        let stack = try stack(tags: 1)
        let progress = Progress(totalUnitCount: 0)
        let request = update("x")
        request.progress = progress
        let writer = try Connection(.file(stack.fileURL()), access: .readWrite)
        let seen = SeenStatements(stack)
        seen.onCount(1, startingWith: "BEGIN IMMEDIATE") {
            DispatchQueue.global().async { progress.cancel() }
        }
        try writer.inTransaction(.immediate) {
            #expect(code { try stack.context.execute(request) } == 3072)
        }
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'x'")) == 0)
    }

    @Test("If cancelled in the second of two stores, the first is committed, and the error says so")
    func cancelledBetweenStores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        let other = stack.insert("Tag", ["label": "b"])
        stack.context.assign(other, to: second)
        stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        let (request, progress) = (update("x"), Progress(totalUnitCount: 0))
        request.progress = progress
        let seen = SeenStatements(second)
        seen.onCount(1, startingWith: "UPDATE ZTAG") { progress.cancel() }
        let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
        #expect(error?.errorCode == 134040)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? CocoaError)?.code == .userCancelled)
        let left = try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        #expect(Set(left.map { $0.value(forKey: "label") as? String }) == ["b", "x"])
    }
}

/// The statements that a store's writing connection starts.
final class SeenStatements: Sendable {
    private struct State {
        var texts: [String] = []
        var wanted: (count: Int, start: String, action: @Sendable () -> Void)?
    }

    private let state = Locked(State())

    convenience init(_ stack: TestStack) { self.init(stack.coordinator.persistentStores.first) }

    init(_ store: NSPersistentStore?) {
        try? store?.sqlite?.pool.withWriter { connection in
            connection.onStatement = { [weak self] in self?.note($0) }
        }
    }

    private func note(_ text: String) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            state.texts.append(text)
            guard let wanted = state.wanted, text.hasPrefix(wanted.start) else { return nil }
            let count = state.texts.count { $0.hasPrefix(wanted.start) }
            return count == wanted.count ? wanted.action : nil
        }
        action?()
    }

    func count(startingWith start: String) -> Int { state.withLock { $0.texts.count { $0.hasPrefix(start) } } }

    /// Runs a closure when the nth statement with a prefix starts.
    func onCount(_ count: Int, startingWith start: String, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.wanted = (count, start, action) }
    }
}
