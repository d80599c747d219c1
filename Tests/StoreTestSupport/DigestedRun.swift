import Foundation
import ObjectGraph
import Testing

/// A random run whose digests for 500 seeds are recorded in a file beside the tests.
package struct DigestedRun: Sendable, CustomTestStringConvertible {
    package static let seeds: Range<UInt64> = 0..<500

    package let name: String
    /// The folder of the records.
    private let folder: URL
    private let digest: @Sendable (UInt64) throws -> BehaviourDigest

    /// - Parameter run: adds to the digest as it goes on, and the final state if it ends early.
    package init(
        _ name: String, in folder: URL, _ run: @escaping @Sendable (UInt64, inout BehaviourDigest) throws -> Void
    ) {
        self.name = name
        self.folder = folder
        digest = { seed in
            var digest = BehaviourDigest()
            let unmet = UnmetExpectations()
            withKnownIssue("\(name), seed \(seed)", isIntermittent: true) {
                do { try run(seed, &digest) } catch { digest.addFailure(error) }
            } matching: { _ in
                unmet.add()
                return true
            }
            if unmet.count > 0 { digest.addUnmetExpectations(unmet.count) }
            return digest
        }
    }

    package var testDescription: String { name }

    /// Checks the seeds of the environment, or records all of them. Runs that the environment leaves out do nothing.
    package func checkOrRecord() throws {
        if DigestSettings.runs?.contains(name) == false { return }
        let start = ContinuousClock.now
        if DigestSettings.isRecording {
            try record()
            return print("\(name): \(Self.seeds.count) seeds recorded in \(ContinuousClock.now - start)")
        }
        let (differing, failing) = try check()
        #expect(differing.isEmpty, "\(name): seeds \(differing) do not end as recorded")
        #expect(failing.isEmpty, "\(name): seeds \(failing) end early, or with expectations that are not met")
        let count = DigestSettings.seeds.count
        if count > 10 {
            print("\(name): \(count) seeds checked in \(ContinuousClock.now - start), \(differing.count) differ")
        }
    }

    private var file: URL { folder.appendingPathComponent("\(name).txt") }

    /// - Returns: the seeds whose result differs from the record, and those whose run fails.
    private func check() throws -> (differing: [UInt64], failing: [UInt64]) {
        let recorded = try recorded()
        var (differing, failing): ([UInt64], [UInt64]) = ([], [])
        for seed in DigestSettings.seeds {
            let digest = try digested(seed)
            if recorded[seed] != digest.text { differing.append(seed) }
            if digest.hasFailure { failing.append(seed) }
        }
        return (differing, failing)
    }

    /// Records the results of all seeds, unless a run fails.
    private func record() throws {
        let digests = try Self.seeds.map { (seed: $0, digest: try digested($0)) }
        let failing = digests.filter(\.digest.hasFailure).map(\.seed)
        try #require(failing.isEmpty, "\(name): nothing is recorded, because seeds \(failing) fail")
        let lines = digests.map { "\($0.seed) \($0.digest.text)" }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file, options: .atomic)
    }

    private func digested(_ seed: UInt64) throws -> BehaviourDigest {
        let digest = try digest(seed)
        if let folder = DigestSettings.dumpFolder?.appendingPathComponent(name) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(digest.lines.joined(separator: "\n").utf8).write(to: folder.appendingPathComponent("\(seed).txt"))
        }
        return digest
    }

    private func recorded() throws -> [UInt64: String] {
        var digests: [UInt64: String] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            if let seed = words.first.flatMap({ UInt64($0) }) { digests[seed] = words.last.map(String.init) }
        }
        return digests
    }
}

private final class UnmetExpectations: Sendable {
    private let counter = Locked(0)

    func add() { counter.withLock { $0 += 1 } }

    var count: Int { counter.withLock { $0 } }
}
