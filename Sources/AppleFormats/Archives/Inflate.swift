import CZlib
import Foundation

/// Expands raw DEFLATE bytes: no zlib header, no checksum.
enum Inflate {
    /// Far larger than any model; keeps a few hostile bytes from filling the memory.
    static let outputLimit = 64 << 20
    private static let chunkSize = 64 << 10
    /// No header, 32 KiB window.
    private static let rawWindow: Int32 = -15

    /// - Throws: `InflateError` if the bytes end early, are not DEFLATE, or expand beyond the limit.
    static func expand(_ input: Data) throws(InflateError) -> Data {
        var bytes = Array(input)
        guard let inputCount = UInt32(exactly: bytes.count), inputCount > 0 else { throw .damaged }
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, rawWindow, ZLIB_VERSION, size) == Z_OK else { throw .unavailable }
        defer { inflateEnd(&stream) }
        let result = bytes.withUnsafeMutableBufferPointer { buffer -> Result<Data, InflateError> in
            stream.next_in = buffer.baseAddress
            stream.avail_in = inputCount
            return drain(&stream)
        }
        return try result.get()
    }

    private static func drain(_ stream: inout z_stream) -> Result<Data, InflateError> {
        var output = Data()
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        while true {
            let (status, produced) = chunk.withUnsafeMutableBufferPointer { buffer in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                let status = inflate(&stream, Z_NO_FLUSH)
                return (status, buffer.count - Int(stream.avail_out))
            }
            output.append(contentsOf: chunk.prefix(produced))
            if status == Z_STREAM_END { return .success(output) }
            guard status == Z_OK, produced > 0 || stream.avail_in > 0 else { return .failure(.damaged) }
            guard output.count <= outputLimit else { return .failure(.tooLarge) }
        }
    }
}

enum InflateError: Error, Hashable {
    case damaged
    case tooLarge
    case unavailable
}
