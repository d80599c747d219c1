import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// A progress line on the terminal. Shows nothing for operations shorter than half a second, or if standard error is no
/// terminal.
final class ProgressLine: Sendable {
    private struct State {
        var title: String
        var done: Int64 = 0
        /// 0 while unknown.
        var total: Int64 = 0
        var isShown = false
        /// Whether a nested line has ended.
        var isSilent = false
        var isEnded = false
    }

    private let state: Locked<State>
    /// Provides the progress if `update` does not.
    private let meter: ProgressMeter?
    private let start = ContinuousClock.now
    /// Lines that have begun and not ended, the innermost last; only that one is shown.
    private static let active = Locked<[Weak]>([])

    private struct Weak: Sendable {
        weak let line: ProgressLine?
    }

    private static let patience = Duration.milliseconds(500)
    private static let barWidth = 24

    init(
        _ title: String, following meter: ProgressMeter? = nil,
        isQuiet: Bool = !Terminal.errorIsTerminal || !Terminal.obeys
    ) {
        state = Locked(State(title: title))
        self.meter = meter
        guard !isQuiet else { return }
        Self.active.withLock { $0.append(Weak(line: self)) }
        Thread.detachNewThread { [weak self] in
            while true {
                usleep(100_000)
                guard let self, self.show() else { return }
            }
        }
    }

    deinit { finish() }

    /// - Parameter total: 0 while unknown.
    func update(_ done: Int64, of total: Int64) {
        state.withLock { ($0.done, $0.total) = (done, total) }
    }

    func retitle(_ title: String) {
        state.withLock { $0.title = title }
    }

    /// Copies the lines out of the lock, as no last reference may be released within it.
    private static var lines: [ProgressLine] {
        active.withLock { active in
            active.removeAll { $0.line == nil }
            return active.compactMap(\.line)
        }
    }

    /// Removes all lines before results are written to the same terminal.
    static func endAll() {
        for line in lines { line.finish() }
    }

    private var isInnermost: Bool { Self.lines.last { !$0.isEnded } === self }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Removes the line permanently; enclosing lines are not shown again.
    func end() {
        let lines = Self.lines
        if let place = lines.firstIndex(where: { $0 === self }) {
            for line in lines[..<place] { line.state.withLock { $0.isSilent = true } }
        }
        finish()
    }

    private func finish() {
        let wasShown = state.withLock { state in
            defer { state.isEnded = true }
            return state.isShown && !state.isEnded
        }
        if wasShown { Output.writeToStandardError("\r\u{1B}[K") }
    }

    /// - Returns: whether to continue showing the line.
    private func show() -> Bool {
        let elapsed = ContinuousClock.now - start
        let isInnermost = isInnermost
        return state.withLock { state in
            if state.isEnded { return false }
            guard elapsed >= Self.patience, isInnermost, !state.isSilent else { return true }
            state.isShown = true
            Output.writeToStandardError("\r" + text(state, elapsed) + "\u{1B}[K")
            return true
        }
    }

    /// - Returns: `nil` while the progress is unknown.
    private func share(_ state: State) -> Double? {
        if let meter { return meter.share }
        return state.total > 0 ? min(1, max(0, Double(state.done) / Double(state.total))) : nil
    }

    private func text(_ state: State, _ elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        guard let share = share(state) else {
            let marks = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
            let mark = marks[Int(seconds * 10) % marks.count]
            let count = state.done > 0 ? "  \(Amounts.count(Int(state.done)))" : ""
            return "\(mark) \(state.title)\(count)  \(Int(seconds)) s"
        }
        let filled = Int(share * Double(Self.barWidth))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
        let left = share > 0.02 ? "  \(Int((seconds / share * (1 - share)).rounded(.up))) s left" : ""
        return "\(state.title)  \(bar)  \(Int(share * 100)) %\(left)"
    }
}
