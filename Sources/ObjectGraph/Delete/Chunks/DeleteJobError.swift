import Foundation

/// A long delete that cannot begin or go on. Chunks committed before stay done, and the store obeys the rules.
package enum DeleteJobError: Error, Hashable {
    /// In bytes.
    case notEnoughDisk(needed: Int64, available: Int64)
    /// No such job: it is finished, or was dropped.
    case unknownJob(UUID)
    /// The file was migrated since the job began: its rows may be others now.
    case otherModel(UUID)
    /// What the file says about the job cannot be read.
    case damagedRecord(UUID)
    /// Two chunks of one job at once.
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
