import Foundation
import HTTPTypes
import Hummingbird

/// Style sheet, script and icon, read once at launch, so that requests cannot reach other files.
struct StaticFiles: Sendable {
    private struct File {
        let content: ByteBuffer
        let type: String
    }

    private let files: [String: File]

    init() throws {
        guard let folder = Bundle.module.url(forResource: "static", withExtension: nil) else {
            throw ResourceProblem.missingFolder("static")
        }
        var files: [String: File] = [:]
        for url in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            guard let type = Self.types[url.pathExtension] else { continue }
            files[url.lastPathComponent] = File(content: ByteBuffer(bytes: try Data(contentsOf: url)), type: type)
        }
        self.files = files
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    func response(_ name: String) throws -> Response {
        guard let file = files[name] else { throw HTTPError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: file.type, .cacheControl: "no-cache"],
            body: .init(byteBuffer: file.content))
    }
}
