import Foundation
import TestSupport

/// One seed, run repeatedly to find the steps that cause a failure.
struct FourContextTrial {
    let seed: UInt64
    let steps: Int

    struct Failure {
        let kind: String
        let text: String
        /// The step after which it was found.
        let step: Int
        var skipped: Set<Int>
        let log: [String]
    }

    func failure(skipping skipped: Set<Int> = [], upTo end: Int? = nil) -> Failure? {
        var run: FourContextRun?
        do {
            try withTemporaryFolder { folder in
                let made = try FourContextRun(seed: seed, folder: folder)
                run = made
                try made.run(steps: end ?? steps, skipping: skipped)
            }
            return nil
        } catch {
            let kind = (error as? FailedCheck)?.kind.rawValue ?? "thrown error"
            return Failure(
                kind: kind, text: "\(error)", step: run?.step ?? 0, skipped: skipped, log: run?.log ?? [])
        }
    }

    /// The same failure with fewer steps: leaves out halves of the rest, then quarters, and so on down to single steps.
    func reduced(_ failure: Failure) -> Failure {
        var best = failure
        let end = failure.step + 1
        var size = max(1, end / 2)
        while true {
            var start = 0
            while start < end {
                let more = Set(start..<min(start + size, end)).subtracting(best.skipped)
                start += size
                if more.isEmpty { continue }
                if let found = self.failure(skipping: best.skipped.union(more), upTo: end), found.kind == failure.kind {
                    best = found
                }
            }
            if size == 1 { return best }
            size /= 2
        }
    }

    func text(of failure: Failure) -> String {
        """
        OPENSWIFTDATA_CONTEXT_SEEDS=\(seed) OPENSWIFTDATA_CONTEXT_STEPS=\(steps), step \(failure.step): \(failure.text)
        \(failure.log.suffix(60).joined(separator: "\n"))
        """
    }
}
