import Foundation
import SQLiteStore
import TestSupport

@testable import ObjectGraph
@testable import SwiftData

/// Four contexts with unsaved changes at the same time, two of each of two containers on one file. The invariants are checked when
/// all of them have saved, or rolled back.
///
/// A step depends on the seed, its number, and the existing models; so steps can be left out of a run that fails.
final class FourContextRun {
    let seed: UInt64
    let containers: [ModelContainer]
    var contexts: [ModelContext] = []
    /// Deletes that can be restored, the oldest first.
    var tokens: [DeletionToken] = []
    /// The current step; new tags are derived from it.
    var step = 0
    private var newTagCount = 0
    /// The steps, one line each.
    private(set) var log: [String] = []
    private(set) var saveCount = 0
    private(set) var checkCount = 0
    var rows = StoredRows()

    /// The number of steps between two complete checks.
    static let stepsPerCheck = 40
    static let contextCount = 4

    init(seed: UInt64, folder: URL) throws {
        self.seed = seed
        let url = folder.appendingPathComponent("\(seed)-\(UUID().uuidString).store")
        containers = try (0..<2).map { _ in
            try ModelContainer(
                for: Organisation.self, Item.self, Kit.self, Badge.self, Contract.self, Label.self,
                configurations: ModelConfiguration(url: url))
        }
        contexts = (0..<Self.contextCount).map { makeContext(at: $0) }
    }

    /// Contexts 0 and 1 have an undo manager.
    func makeContext(at place: Int) -> ModelContext {
        let context = ModelContext(containers[place % 2])
        if place < 2 { context.undoManager = UndoManager() }
        return context
    }

    /// - Parameter skipped: steps to leave out.
    /// - Throws: `FailedCheck`, and unexpected errors of calls.
    func run(steps: Int, skipping skipped: Set<Int> = []) throws {
        for step in 0..<steps {
            self.step = step
            newTagCount = 0
            if !skipped.contains(step) {
                var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(step) &* 7_919)
                try take(&random)
            }
            if (step + 1) % Self.stepsPerCheck == 0 {
                var random = SeededGenerator(seed: seed &* 998_244_353 &+ UInt64(step))
                try settle(&random)
                try checkEverything()
                checkCount += 1
            }
        }
    }

    /// A number that no other model has.
    func newTag() -> Int {
        newTagCount += 1
        return (step + 1) * 100 + newTagCount
    }

    func note(_ text: @autoclosure () -> String) { log.append("\(step): \(text())") }

    // MARK: Saving

    /// A save refused by the rules or by conflicts leaves the changes unsaved.
    /// - Returns: whether it was saved.
    func save(_ place: Int) throws -> Bool {
        do {
            try contexts[place].save()
            saveCount += 1
            return true
        } catch let error as CocoaError {
            note("  save of \(place) refused: \(error.code.rawValue)")
            return false
        }
    }

    /// Afterwards no context has unsaved changes.
    private func settle(_ random: inout SeededGenerator) throws {
        for place in contexts.indices {
            let isSaved = random.chance(75) ? try save(place) : false
            note("settle \(place): \(isSaved ? "saved" : "rolled back")")
            if !isSaved { contexts[place].rollback() }
        }
    }
}
