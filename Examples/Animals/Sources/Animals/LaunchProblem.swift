/// Why the app cannot start, and what to do about it.
enum LaunchProblem: Error, CustomStringConvertible {
    case portIsTaken(UInt16)
    case noFolder(String)

    var description: String {
        switch self {
        case .portIsTaken(let port):
            """
            Port \(port) is taken, perhaps by another Animals. Choose another with --port, or --port 0 for any free one.
            """
        case .noFolder(let path):
            "The folder \(path) is not there and cannot be made. Choose another file with --store."
        }
    }
}
