import Foundation

/// The progress bar of a long task, above the columns.
struct WorkView {
    var workID: String
    var phase: String
    var title: String
    var text: String
    var done: Int
    var total: Int
    /// Whether the task has no numbers to show.
    var isEndless: Bool
    var isUnderWay: Bool
    var hasBar: Bool
    var canStop: Bool
    var canResume: Bool
    var canUndo: Bool
    var dismissLabel: String?
    var workProblem: String?
    var workIcon: String

    init(_ status: WorkStatus) {
        workID = status.id.uuidString
        phase = status.phase.rawValue
        title = Self.title(status)
        text = Self.text(status)
        (done, total) = (status.done, max(1, status.total))
        isEndless = status.phase == .restoring
        isUnderWay = status.isUnderWay
        hasBar = status.phase != .deleted && status.phase != .restored
        canStop = status.phase == .loading || status.phase == .deleting
        canResume = status.phase == .stopped
        canUndo = status.done > 0 && (status.phase == .stopped || status.phase == .deleted)
        workProblem = status.problem
        dismissLabel =
            switch status.phase {
            case .stopped: "Leave as is"
            case .deleted, .restored, .loadingFailed: "Close"
            case .loading, .deleting, .stopping, .restoring: nil
            }
        workIcon = Self.icon(status)
    }

    private static func icon(_ status: WorkStatus) -> String {
        switch status.phase {
        case .loading: "paw"
        case .loadingFailed: "warning"
        case .deleting, .deleted: "trash"
        case .stopping: status.kind == .loading ? "paw" : "trash"
        case .stopped: "pause"
        case .restoring, .restored: "undo-arrow"
        }
    }

    private static func title(_ status: WorkStatus) -> String {
        let subject = if case .deleting(let subject) = status.kind { subject } else { "animals" }
        return switch status.phase {
        case .loading: "Loading animals"
        case .loadingFailed: "Loading failed"
        case .deleting: "Deleting \(subject)"
        case .stopping: "Stopping…"
        case .stopped: status.isLeftOver ? "A delete was interrupted" : "Stopped deleting \(subject)"
        case .deleted: "Deleted \(subject)"
        case .restoring: "Restoring"
        case .restored: "Restored"
        }
    }

    static func text(_ status: WorkStatus) -> String {
        let (done, total) = (Number.text(status.done), Number.text(status.total))
        return switch (status.phase, status.kind) {
        case (.loading, _), (.loadingFailed, _), (.stopping, .loading): "\(done) of \(total) loaded"
        case (.deleting, _), (.stopping, .deleting): "\(done) of \(total) deleted"
        case (.stopped, _): "\(done) of \(total) deleted, \(Number.text(status.total - status.done)) left."
        case (.deleted, _): "\(done) animals and categories deleted. You can undo this for an hour."
        case (.restoring, _): "\(done) animals and categories"
        case (.restored, _): "\(done) animals and categories are back."
        }
    }
}

/// Formats numbers with separators: 100,000.
enum Number {
    static func text(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// "1 animal", "100,000 animals".
    static func text(_ number: Int, _ one: String, _ many: String) -> String {
        "\(text(number)) \(number == 1 ? one : many)"
    }
}
