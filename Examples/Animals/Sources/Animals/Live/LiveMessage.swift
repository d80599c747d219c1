import Foundation

/// A message to an open window, encoded as a server-sent event.
enum LiveMessage: Sendable {
    enum Leaving: Sendable {
        case animal(key: String)
        case category(key: String)
        /// All models, because the sample data is reloaded.
        case everything
    }

    case revision(String)
    case leaving(Leaving)
    case progress(ProgressMessage)
    case keepAlive

    var eventText: String {
        switch self {
        case .revision(let revision): "event: revision\ndata: \(revision)\n\n"
        case .leaving(.animal(let key)): "event: leaving\ndata: \(key)\n\n"
        case .leaving(.category(let key)): "event: leaving\ndata: \(key)\n\n"
        case .leaving(.everything): "event: leaving\ndata: *\n\n"
        case .progress(let progress): "event: progress\ndata: \(progress.json)\n\n"
        case .keepAlive: ":\n\n"
        }
    }
}

/// The progress bar of a long task with the animal counts beside it, so that a window updates both at once.
struct ProgressMessage: Encodable, Sendable {
    /// The time of the count; see `AnimalCounts.time`.
    let time: Int
    let id: String
    let phase: String
    let done: Int
    let total: Int
    let text: String
    /// Numbers of animals, by the key of the category, and under `CountKey.all` in total.
    let counts: [String: String]

    init(_ status: WorkStatus, _ counts: AnimalCounts) {
        let status = status.measured(by: counts)
        time = counts.time
        (id, phase) = (status.id.uuidString, status.phase.rawValue)
        (done, total) = (status.done, max(1, status.total))
        text = WorkView.text(status)
        var texts = [CountKey.all: Number.text(counts.animals)]
        for category in counts.categories {
            texts[CountKey.of(category)] = Number.text(counts.animals(in: category))
        }
        self.counts = texts
    }

    /// JSON without line breaks, which would end an event.
    var json: String {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// Identifies a number of animals on a page, so that messages can update it.
enum CountKey {
    static let all = "all"

    /// - Parameter category: `nil` for all animals.
    static func of(_ category: ListedCategory?) -> String {
        category.map { Address.key($0.id) } ?? all
    }
}
