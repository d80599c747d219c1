import Foundation
import HTTPTypes
import Hummingbird

/// The fields of a posted form, or of an address. A missing field reads as empty text.
struct FormFields: Sendable {
    /// In bytes.
    private static let largestForm = 16 * 1024
    private let fields: [String: String]

    /// - Throws: `HTTPError` 415 for another content type, 400 for a malformed form, 413 for one that is too large.
    init(_ request: Request) async throws {
        let type = request.headers[.contentType]?.split(separator: ";").first.map(String.init) ?? ""
        guard type.lowercased() == "application/x-www-form-urlencoded" else {
            throw HTTPError(.unsupportedMediaType)
        }
        let body = try await request.body.collect(upTo: Self.largestForm)
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else { throw HTTPError(.badRequest) }
        try self.init(text)
    }

    /// The fields in the address of a request; empty if they are malformed.
    init(queryOf request: Request) {
        self = (try? FormFields(request.uri.query ?? "")) ?? FormFields(fields: [:])
    }

    private init(fields: [String: String]) { self.fields = fields }

    private init(_ text: String) throws {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = Self.decoded(parts.dropFirst().first ?? "") else {
                throw HTTPError(.badRequest)
            }
            fields[name] = value
        }
        self.init(fields: fields)
    }

    subscript(name: String) -> String { fields[name] ?? "" }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
