import Foundation

extension URL {
    /// The file itself where a symbolic link leads to it, whether it is there yet or not. SQLite keeps a database's log beside
    /// the database, not beside a link to it; what this library keeps beside a store lies there too.
    package var followingLinks: URL {
        var url = absoluteURL.resolvingSymlinksInPath()
        // Foundation leaves a path as it is where there is no file at its end.
        for _ in 0..<Self.mostLinks {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
            let folder = url.deletingLastPathComponent()
            url = URL(fileURLWithPath: target, relativeTo: folder).absoluteURL.resolvingSymlinksInPath()
        }
        return url
    }

    /// Links that lead round in a circle end here; opening the file fails then.
    private static let mostLinks = 32
}

extension Connection.Location {
    /// The same with the file that a symbolic link leads to.
    var followingLinks: Connection.Location {
        if case .file(let url) = self { .file(url.followingLinks) } else { self }
    }
}
