import Foundation

/// The owner, group and permissions of a file. A copy grants no access beyond that to the original.
struct FileAccess: Sendable, Hashable {
    private let owner: uid_t
    private let group: gid_t
    /// Permission bits of owner, group and others: read, write, execute.
    private let mode: mode_t

    private static let all: mode_t = 0o777

    /// - Returns: `nil` if the file does not exist.
    init?(of url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode & Self.all)
    }

    /// Permissions that both the group and others have, for both. If the copy has a different group, former group
    /// members count as others, and vice versa.
    private var common: mode_t {
        let rights = mode >> 3 & mode & 0o7
        return rights << 3 | rights
    }

    /// Applies the access rights to another file as far as permitted. If its owner and group cannot be set, its
    /// permissions are restricted instead.
    func give(to url: URL) {
        // Only a superuser can change the owner; other users can set a group they belong to.
        if chown(url.path, owner, group) != 0 { _ = chown(url.path, uid_t.max, group) }
        // Reads the result, as changing owner or group may have failed.
        guard let own = FileAccess(of: url) else { return }
        _ = chmod(url.path, (own.owner == owner ? mode & 0o700 : 0o600) | (own.group == group ? mode & 0o077 : common))
    }
}
