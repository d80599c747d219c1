import Foundation

extension RecoveryToken {
    /// The token of one chunk of a delete that takes several transactions. Each chunk is a delete of its own; to take the
    /// whole back, restore them the last first.
    package init(chunk number: Int, of job: UUID) {
        var bytes = job.uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for (place, byte) in withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
                .enumerated()
            where bytes.indices.contains(12 + place) {
                bytes[12 + place] ^= byte
            }
        }
        self.init(uuid: UUID(uuid: bytes))
    }
}
