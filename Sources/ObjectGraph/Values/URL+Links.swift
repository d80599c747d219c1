import Foundation

extension URL {
    /// The destination of a symbolic link, whether it exists yet or not. SQLite keeps a database's log beside the
    /// database, not beside a link to it; the other files of a store are kept there, too.
    package var followingLinks: URL {
        var url = absoluteURL.resolvingSymlinksInPath()
        // Foundation does not resolve a path if there is no file at its end.
        for _ in 0..<Self.mostLinks {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
            let folder = url.deletingLastPathComponent()
            url = URL(fileURLWithPath: target, relativeTo: folder).absoluteURL.resolvingSymlinksInPath()
        }
        return url
    }

    /// Ends the resolution of circular links; opening the file then fails.
    private static let mostLinks = 32
}
