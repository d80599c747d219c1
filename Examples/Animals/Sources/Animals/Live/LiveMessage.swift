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
    case keepAlive

    var eventText: String {
        switch self {
        case .revision(let revision): "event: revision\ndata: \(revision)\n\n"
        case .leaving(.animal(let key)): "event: leaving\ndata: \(key)\n\n"
        case .leaving(.category(let key)): "event: leaving\ndata: \(key)\n\n"
        case .leaving(.everything): "event: leaving\ndata: *\n\n"
        case .keepAlive: ":\n\n"
        }
    }
}
