import Foundation

extension UUID {
    /// - Returns: `nil` unless there are sixteen bytes.
    package init?(rawBytes bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        self.init(uuid: uuid)
    }

    package var rawBytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
