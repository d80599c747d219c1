import Foundation

/// A long deletion that cannot start or continue. Chunks committed before stay committed, and the store satisfies the
/// delete rules.
package enum DeleteJobError: Error, Hashable {
    /// In bytes.
    case notEnoughDisk(needed: Int64, available: Int64)
    /// No such job: it has finished, or was dropped.
    case unknownJob(UUID)
    /// The file was migrated since the job began, so that its roots may identify other rows.
    case otherModel(UUID)
    /// The job's record in the file is unreadable.
    case damagedRecord(UUID)
    /// Another chunk of the same job is running.
    case busy(UUID)
}

extension DeleteJobError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notEnoughDisk(let needed, let available):
            "Nothing was deleted: about \(needed) bytes are needed on the disk while it goes on, and \(available) are "
                + "free. Free some space, or make the chunks smaller."
        case .unknownJob(let id):
            "There is no delete under way with the identifier \(id): it is finished, or was dropped. Start it anew."
        case .otherModel(let id):
            "Delete \(id) was started before the store was migrated, and cannot go on: drop it and start it anew."
        case .damagedRecord(let id):
            "What the file says about delete \(id) is damaged; drop it and start it anew."
        case .busy(let id):
            "Delete \(id) is carrying out a chunk already; run a job once."
        }
    }
}
