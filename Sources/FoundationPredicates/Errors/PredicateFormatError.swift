import Foundation
import Logging
import ObjectGraph
import PredicateFormat

/// Why and where a format is malformed.
public struct PredicateFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The malformed format.
    public let format: String
    /// The number of characters before the error.
    public let position: Int
    /// The reason at this position.
    public let reason: String

    package init(_ error: FormatError, in format: String) {
        self.format = format
        position = error.position
        reason = error.reason.description
    }

    public var description: String {
        "Unable to parse the format string \"\(format)\": character \(position + 1): \(reason)."
    }
}

extension PredicateFormatError: LocalizedError {
    public var errorDescription: String? { description }
}

/// Logs malformed formats of initializers that cannot throw.
enum MalformedFormats {
    private static let logger = Logger(label: "CoreData")

    static func report(_ error: FormatError, in format: String) {
        report(PredicateFormatError(error, in: format).description)
    }

    static func report(_ text: String) {
        logger.error("\(text)")
    }
}
