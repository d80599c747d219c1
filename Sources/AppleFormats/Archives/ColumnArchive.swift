import Foundation

/// A keyed archive in a column: texts, numbers, dates, data and collections of them. Decodes Foundation objects without
/// Foundation's own unarchiver, which trusts its input.
///
/// 1. Every access is checked, and an object is made once, however often the archive refers to it.
/// 2. Cycles are refused, and so are archives that nest more deeply than `depthLimit` or expand beyond a limit.
/// 3. An archive is refused as a whole if any part of it cannot be decoded.
package struct ColumnArchive {
    package static let depthLimit = 128
    /// Enough for some thousand small objects; larger archives are limited by their bytes.
    private static let allowance = 1 << 18

    private let archive: KeyedArchive

    /// - Throws: `ColumnArchiveError`.
    package init(_ data: Data) throws(ColumnArchiveError) {
        archive = try KeyedArchive(data, allowance: Self.allowance)
    }

    /// Returns the archived object.
    /// - Throws: `ColumnArchiveError`, also for objects of unsupported classes.
    package func object() throws(ColumnArchiveError) -> NSObject {
        var maker = ArchivedObjectMaker(archive)
        return try maker.root()
    }

    /// Returns an archive that is safe for Foundation's unarchiver: encoded again, or unchanged if it has objects of a
    /// program's own classes.
    /// - Returns: `nil` if the object cannot be archived again.
    package static func rewritten(_ data: Data) throws(ColumnArchiveError) -> Data? {
        do throws(ColumnArchiveError) {
            let object = try ColumnArchive(data).object()
            return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
        } catch .otherClass {
            return data
        }
    }
}

/// An error for bytes that are not an archive of plain objects.
package enum ColumnArchiveError: Error, Hashable {
    case unreadable(PropertyListError)
    case notAnArchive
    /// A reference has no destination, or an object lacks a required field of its class.
    case damaged(className: String)
    case otherClass(String)
    case circular
    case tooDeep
    case tooLarge
}

extension ColumnArchiveError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let error): "The archive cannot be read: \(error.description)"
        case .notAnArchive: "The bytes are not a keyed archive."
        case .damaged(let className): "The archive is damaged: it has a \(className) that cannot be made."
        case .otherClass(let name): "The archive has an object of class \(name), which is read by a transformer only."
        case .circular: "The archive has an object that contains itself."
        case .tooDeep: "The archive is nested too deeply."
        case .tooLarge: "The archive expands to more than can be read."
        }
    }
}
