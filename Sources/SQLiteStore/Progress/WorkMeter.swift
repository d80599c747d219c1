import ObjectGraph

/// How much of long work is done, between 0 and 1: told by whoever does it, asked from any thread. It never falls.
package final class WorkMeter: Sendable {
    private struct State {
        var share = 0.0
        /// Asked beside `share`, for work that cannot tell by itself.
        var watched: (@Sendable () -> Double?)?
    }

    private struct Part {
        let whole: WorkMeter
        let range: ClosedRange<Double>
    }

    private let state = Locked(State())
    /// What this one is a part of.
    private let place: Part?

    package init() { place = nil }

    private init(_ part: Part) { place = part }

    /// A part of the work, told of as if it were the whole.
    package func part(_ range: ClosedRange<Double>) -> WorkMeter { WorkMeter(Part(whole: self, range: range)) }

    package func tell(_ share: Double) {
        let share = min(1, max(0, share))
        if let place { return place.whole.tell(Self.scaled(share, place.range)) }
        state.withLock { $0.share = max($0.share, share) }
    }

    /// Runs a body that tells nothing; meanwhile `share` asks how far it is.
    /// - Parameter ask: `nil` before it has begun.
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
        if let watched = state.withLock({ $0.watched }), let share = watched() { tell(share) }
        return state.withLock { $0.share }
    }

    private static func scaled(_ share: Double, _ range: ClosedRange<Double>) -> Double {
        range.lowerBound + share * (range.upperBound - range.lowerBound)
    }
}
