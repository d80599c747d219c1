import Foundation

/// A progress bar on one line, replaced at the end by the result and the time taken.
final class ProgressBar {
    private let title: String
    private let total: Int
    private let start = Date()
    private var shown = -1
    private static let width = 24

    init(_ title: String, of total: Int) {
        self.title = title.padding(toLength: 10, withPad: " ", startingAt: 0)
        self.total = max(1, total)
    }

    func advance(to done: Int) {
        let filled = min(Self.width, done * Self.width / total)
        guard filled != shown else { return }
        shown = filled
        show(filled, "")
    }

    func finish(_ result: String) {
        let milliseconds = Int(Date().timeIntervalSince(start) * 1000)
        show(Self.width, "\(milliseconds) ms, \(result)\n")
    }

    private func show(_ filled: Int, _ end: String) {
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        print("\r\(title) \(bar) \(end)", terminator: "")
        fflush(nil)
    }
}
