import CZlib
import Foundation

/// Compresses bytes to raw DEFLATE: no zlib header, no checksum. `Inflate` is the inverse.
package enum Deflate {
    /// No header, 32 KiB window.
    private static let rawWindow: Int32 = -15
    /// zlib's own default.
    private static let memoryLevel: Int32 = 8

    /// - Throws: `DeflateError` if zlib has no memory, or if the input is too large for one call.
    package static func compress(_ input: Data) throws(DeflateError) -> Data {
        var bytes = Array(input)
        guard let inputCount = UInt32(exactly: bytes.count) else { throw .tooLarge }
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let status = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, rawWindow, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard status == Z_OK else { throw .unavailable }
        defer { deflateEnd(&stream) }
        guard let limit = UInt32(exactly: deflateBound(&stream, UInt(inputCount))) else { throw .tooLarge }
        var output = [UInt8](repeating: 0, count: Int(limit))
        let isFinished = bytes.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = inputCount
                stream.next_out = target.baseAddress
                stream.avail_out = limit
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        guard isFinished else { throw .unavailable }
        return Data(output.prefix(Int(limit - stream.avail_out)))
    }
}

package enum DeflateError: Error, Hashable {
    case tooLarge
    case unavailable
}

extension DeflateError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge: "The model is too large to be kept in a new file; split it."
        case .unavailable: "The model of a new file cannot be compressed; there may be too little memory. Try again."
        }
    }
}
