import Foundation
import ObjectGraph

extension Connection.Location {
    /// The location with symbolic links resolved.
    var followingLinks: Connection.Location {
        if case .file(let url) = self { .file(url.followingLinks) } else { self }
    }
}
