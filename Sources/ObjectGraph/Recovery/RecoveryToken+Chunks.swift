import Foundation

extension RecoveryToken {
    /// Creates the token of one chunk of a long deletion. Each chunk is archived separately; to restore the whole
    /// deletion, restore the chunks in reverse order.
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

    /// Returns the tokens of the first chunks in reverse order, in which they are restored.
    package static func chunks(_ count: Int, of job: UUID) -> [RecoveryToken] {
        (0..<max(0, count)).reversed().map { RecoveryToken(chunk: $0, of: job) }
    }

    /// An identifier that the chunks of one deletion share, and no other tokens have.
    package var delete: UUID {
        var bytes = uuid.uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for place in bytes.indices.dropFirst(Self.chunkPlace) { bytes[place] = 0 }
        }
        return UUID(uuid: bytes)
    }

    /// Reduces tokens to one for each deletion, in order.
    package static func onePerDelete(_ tokens: [RecoveryToken]) -> [RecoveryToken] {
        var deletes: Set<UUID> = []
        return tokens.filter { deletes.insert($0.delete).inserted }
    }

    /// The position of the bytes with the chunk number.
    private static let chunkPlace = 12
}
