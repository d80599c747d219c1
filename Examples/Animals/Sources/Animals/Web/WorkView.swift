import Foundation

/// The bar above the columns that tells of a long task.
struct WorkView {
    var workID: String
    var phase: String
    var title: String
    var text: String
    var done: Int
    var total: Int
    /// A task without numbers.
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
        hasBar = status.phase != .deleted
        canStop = status.phase == .loading || status.phase == .deleting
        canResume = status.phase == .stopped
        canUndo = status.done > 0 && (status.phase == .stopped || status.phase == .deleted)
        workProblem = status.problem
        switch status.phase {
        case .stopped: (dismissLabel, workIcon) = ("Leave it so", "pause")
        case .deleted: (dismissLabel, workIcon) = ("Close", "trash")
        case .loadingFailed: (dismissLabel, workIcon) = ("Close", "warning")
        case .loading: workIcon = "paw"
        case .restoring: workIcon = "undo-arrow"
        case .deleting, .stopping: workIcon = "trash"
        }
    }

    private static func title(_ status: WorkStatus) -> String {
        switch status.phase {
        case .loading: "Loading animals"
        case .loadingFailed: "Loading ended early"
        case .deleting: "Deleting \(status.subject.isEmpty ? "animals" : status.subject)"
        case .stopping: "Stopping…"
        case .stopped: status.isLeftOver ? "A delete was interrupted" : "Stopped"
        case .deleted: "Deleted \(status.subject.isEmpty ? "" : status.subject)".trimmingCharacters(in: .whitespaces)
        case .restoring: "Bringing everything back"
        }
    }

    static func text(_ status: WorkStatus) -> String {
        let (done, total) = (Number.text(status.done), Number.text(status.total))
        return switch status.phase {
        case .loading, .loadingFailed: "\(done) of \(total)"
        case .deleting, .stopping: "\(done) of \(total) gone"
        case .stopped: "\(done) of \(total) are gone, \(Number.text(status.total - status.done)) are still here."
        case .deleted: "\(done) animals and categories are gone. You can bring them back for an hour."
        case .restoring: "\(done) animals and categories, with their links"
        }
    }
}

/// Numbers as people read them: 100,000.
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
