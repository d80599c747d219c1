import Foundation

/// A keyed archive as a column holds it: texts, numbers, dates, bytes and collections of them, made into Foundation's
/// objects without Foundation's own reader, which trusts what it reads.
///
/// 1. Every access is checked, and an object is made once, however often the archive refers to it.
/// 2. Circles are refused, and so is what is nested more deeply than `depthLimit`, or unfolds to more than can be.
/// 3. An archive of which any part cannot be made is refused as a whole.
package struct ColumnArchive {
    package static let depthLimit = 128
    /// Some thousand small objects; more have to be in the bytes.
    private static let allowance = 1 << 18

    private let archive: KeyedArchive

    /// - Throws: `ColumnArchiveError`.
    package init(_ data: Data) throws(ColumnArchiveError) {
        let propertyList: PropertyList
        do throws(PropertyListError) {
            propertyList = try PropertyList(binary: data, allowance: Self.allowance)
        } catch {
            throw .unreadable(error)
        }
        guard let archive = KeyedArchive(propertyList) else { throw .notAnArchive }
        self.archive = archive
    }

    /// What is archived.
    /// - Throws: `ColumnArchiveError`, also for objects of classes that are not made here.
    package func object() throws(ColumnArchiveError) -> NSObject {
        var maker = ArchivedObjectMaker(archive)
        return try maker.root()
    }

    /// An archive that can be given to Foundation's reader: written anew, or, where it has objects of a program's own
    /// classes, as it is.
    /// - Returns: `nil` for what cannot be archived again.
    package static func rewritten(_ data: Data) throws(ColumnArchiveError) -> Data? {
        do throws(ColumnArchiveError) {
            let object = try ColumnArchive(data).object()
            return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
        } catch .otherClass {
            return data
        }
    }
}

/// Bytes that are no archive of plain objects.
package enum ColumnArchiveError: Error, Hashable {
    case unreadable(PropertyListError)
    case notAnArchive
    /// A reference leads nowhere, or an object lacks what its class needs.
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
        case .tooLarge: "The archive unfolds to more than can be read."
        }
    }
}
