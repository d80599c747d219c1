import Foundation

extension RecoveryToken {
    /// The token of one chunk of a delete that takes several transactions. Each chunk is a delete of its own; to take the
    /// whole back, restore them the last first.
    package init(chunk number: Int, of job: UUID) {
        var bytes = job.uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for (place, byte) in withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
                .enumerated()
            where bytes.indices.contains(Self.chunkPlace + place) {
                bytes[Self.chunkPlace + place] ^= byte
            }
        }
        self.init(uuid: UUID(uuid: bytes))
    }

    /// Of the first chunks, the last first: the order in which they are taken back.
    package static func chunks(_ count: Int, of job: UUID) -> [RecoveryToken] {
        (0..<max(0, count)).reversed().map { RecoveryToken(chunk: $0, of: job) }
    }

    /// Equal for the chunks of one delete, and for nothing else.
    package var delete: UUID {
        var bytes = uuid.uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for place in bytes.indices.dropFirst(Self.chunkPlace) { bytes[place] = 0 }
        }
        return UUID(uuid: bytes)
    }

    /// Of tokens of which some may be of one delete, one for each delete, in their order.
    package static func onePerDelete(_ tokens: [RecoveryToken]) -> [RecoveryToken] {
        var deletes: Set<UUID> = []
        return tokens.filter { deletes.insert($0.delete).inserted }
    }

    /// Where the bytes begin that tell one chunk from another.
    private static let chunkPlace = 12
}
