import Foundation
import Logging
import ObjectGraph
import PredicateFormat

/// Why a format is no predicate and no expression, and where.
public struct PredicateFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The format as it was given.
    public let format: String
    /// Characters before the place where reading stopped.
    public let position: Int
    /// What is wrong there.
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

/// The one place that hears of formats which initializers that cannot throw could not read.
enum MalformedFormats {
    private static let logger = Logger(label: "CoreData")

    static func report(_ error: FormatError, in format: String) {
        report(PredicateFormatError(error, in: format).description)
    }

    static func report(_ text: String) {
        logger.error("\(text)")
    }
}
