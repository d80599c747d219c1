import Foundation

/// Seeds and numbers of repetitions of random runs: the same every time, so that a failure is repeatable, unless the environment
/// has others.
package enum Seeds {
    private static let environment = ProcessInfo.processInfo.environment

    /// `OPENSWIFTDATA_SEED` shifts the seeds of all runs, to test new cases.
    package static let base = environment["OPENSWIFTDATA_SEED"].flatMap(UInt64.init) ?? 0

    /// `OPENSWIFTDATA_CASES` multiplies the numbers of generated cases. The default keeps a whole run short.
    package static let factor = max(1, environment["OPENSWIFTDATA_CASES"].flatMap(Int.init) ?? 1)

    /// - Parameters:
    ///   - count: how many, unless the environment multiplies them.
    ///   - first: where they begin, to leave those before to other tests.
    package static func rounds(_ count: Int, from first: UInt64 = 0) -> [UInt64] {
        (0..<UInt64(count * factor)).map { base &* 1000 &+ first &+ $0 }
    }

    /// How far apart the calls to the file system are that are made to fail or to kill the process, one in each run: with a factor
    /// of 5 every call.
    package static let callDistance = max(1, 5 / factor)

    /// The number of damaged inputs that a test tries: `OPENSWIFTDATA_FUZZ_COUNT`, or the given number times `factor`.
    /// - Parameter count: the number unless the environment has one.
    package static func damagedInputs(_ count: Int) -> Int {
        environment["OPENSWIFTDATA_FUZZ_COUNT"].flatMap(Int.init) ?? count * factor
    }

    /// The seeds that a variable of the environment lists, as `17` or `0-99`.
    /// - Returns: `nil` if the variable is not set, an empty list if its text is neither.
    package static func chosen(by variable: String) -> [UInt64]? {
        guard let text = environment[variable] else { return nil }
        let ends = text.split(separator: "-").compactMap { UInt64($0) }
        guard let first = ends.first, let last = ends.last, first <= last else { return [] }
        return Array(first...last)
    }
}
