import Foundation

/// Who may do what with a file. A copy of a file is for nobody whom the file is not for.
struct FileAccess: Sendable, Hashable {
    private let owner: uid_t
    private let group: gid_t
    /// Of owner, group and others, each to read, write and run it.
    private let mode: mode_t

    private static let all: mode_t = 0o777

    /// - Returns: `nil` where there is no such file.
    init?(of url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode & Self.all)
    }

    /// What both the group and all others may do, for both: who was in the group is one of the others in another group's
    /// file, and the other way round.
    private var common: mode_t {
        let rights = mode >> 3 & mode & 0o7
        return rights << 3 | rights
    }

    /// As far as that is allowed: a file stays as private as it was where its owner and group cannot be given to it.
    func give(to url: URL) {
        // Only a superuser gives files away; its own groups anybody may give them.
        if chown(url.path, owner, group) != 0 { _ = chown(url.path, uid_t.max, group) }
        // Read anew, as it may not have been allowed.
        guard let own = FileAccess(of: url) else { return }
        _ = chmod(url.path, (own.owner == owner ? mode & 0o700 : 0o600) | (own.group == group ? mode & 0o077 : common))
    }
}
