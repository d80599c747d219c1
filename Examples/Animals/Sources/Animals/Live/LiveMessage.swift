import Foundation

/// What the app tells an open window, in the text form of server-sent events.
enum LiveMessage: Sendable {
    enum Leaving: Sendable {
        case animal(key: String)
        case category(key: String)
        /// All of them, because the sample data is reloaded.
        case everything
    }

    case revision(String)
    case leaving(Leaving)
    case progress(WorkStatus)
    case keepAlive

    var eventText: String {
        switch self {
        case .revision(let revision): "event: revision\ndata: \(revision)\n\n"
        case .leaving(.animal(let key)): "event: leaving\ndata: \(key)\n\n"
        case .leaving(.category(let key)): "event: leaving\ndata: \(key)\n\n"
        case .leaving(.everything): "event: leaving\ndata: *\n\n"
        case .progress(let status): "event: progress\ndata: \(Self.data(status))\n\n"
        case .keepAlive: ":\n\n"
        }
    }

    /// Words and numbers that a bar on the page is brought up to date with.
    private struct Progress: Encodable {
        let id: String
        let phase: String
        let done: Int
        let total: Int
        let text: String
    }

    private static func data(_ status: WorkStatus) -> String {
        let progress = Progress(
            id: status.id.uuidString, phase: status.phase.rawValue, done: status.done, total: max(1, status.total),
            text: WorkView.text(status))
        // JSON of these has no line breaks, which would end the event.
        return (try? JSONEncoder().encode(progress)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
