import ObjectGraph

/// The progress of long work between 0 and 1, reported by the worker and readable from any thread. It never decreases.
package final class ProgressMeter: Sendable {
    private struct State {
        var share = 0.0
        /// Read beside `share`, for work that cannot report its own progress.
        var watched: (@Sendable () -> Double?)?
    }

    private struct Part {
        let whole: ProgressMeter
        let range: ClosedRange<Double>
    }

    private let state = Locked(State())
    /// The part of another meter that this one stands for.
    private let place: Part?

    package init() { place = nil }

    private init(_ part: Part) { place = part }

    /// Returns a meter for a part of the work, which reports between 0 and 1 itself.
    package func part(_ range: ClosedRange<Double>) -> ProgressMeter { ProgressMeter(Part(whole: self, range: range)) }

    package func report(_ share: Double) {
        let share = min(1, max(0, share))
        if let place { return place.whole.report(Self.scaled(share, place.range)) }
        state.withLock { $0.share = max($0.share, share) }
    }

    /// Runs a body that reports no progress; meanwhile `share` calls `ask` for it.
    /// - Parameter ask: Returns the progress, or `nil` before the work has begun.
    func watching<Result>(_ ask: @escaping @Sendable () -> Double?, _ body: () throws -> Result) rethrows -> Result {
        if let place {
            let range = place.range
            return try place.whole.watching({ ask().map { Self.scaled(min(1, max(0, $0)), range) } }, body)
        }
        state.withLock { $0.watched = ask }
        defer { state.withLock { $0.watched = nil } }
        return try body()
    }

    package var share: Double {
        if let watched = state.withLock({ $0.watched }), let share = watched() { report(share) }
        return state.withLock { $0.share }
    }

    private static func scaled(_ share: Double, _ range: ClosedRange<Double>) -> Double {
        range.lowerBound + share * (range.upperBound - range.lowerBound)
    }
}
