import Foundation
import FoundationAdditions
import ObjectGraph
import PredicateFormat

/// The identifier of a managed object: a constant that is equal in all contexts, and can be kept and passed to other threads.
///
/// An object has a temporary identifier before its first save.
nonisolated open class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    // All properties are constants; the core is Sendable, and descriptions of a model in use do not change.
    final package let id: ObjectID
    final let core: CoordinatorCore?
    /// The entity of an object without a context.
    private let ownEntity: NSEntityDescription?

    init(_ id: ObjectID, _ core: CoordinatorCore?, _ ownEntity: NSEntityDescription? = nil) {
        self.id = id
        self.core = core
        self.ownEntity = core == nil ? ownEntity : nil
        super.init()
    }

    /// The object's own entity, regardless of the entity it was fetched by.
    open var entity: NSEntityDescription {
        core?.tables.table(named: id.entityName)?.description ?? ownEntity ?? NSEntityDescription()
    }

    /// The store of the object; `nil` before the first save, and once the store was removed.
    open weak var persistentStore: NSPersistentStore? {
        id.storeIdentifier.flatMap { core?.persistentStore(identifier: $0) }
    }

    /// A Boolean value that states whether the identifier is temporary.
    open var isTemporaryID: Bool { id.isTemporary }

    /// Returns the identifier as a URI: `x-coredata://<store>/<Entity>/p<key>`, with `t` in place of `p` before the first save.
    /// Stores of a program's own class have their references as keys.
    open func uriRepresentation() -> URL {
        URL(string: core?.uriText(of: id) ?? id.uriText) ?? URL(fileURLWithPath: "/")
    }

    /// Returns the identifier itself, which is constant.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether another identifier is that of the same object.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSManagedObjectID)?.id == id
    }

    /// A hash of the identifier.
    open override var hash: Int { id.hashValue }

    /// The URI in angle brackets.
    open override var description: String { "<\(id.uriText)>" }
}

extension NSManagedObjectID: ObjectIDRepresentable {
    package var graphObjectID: ObjectID? { id }
}

extension NSManagedObjectID: FormatConvertible {
    package var formatConstant: FormatConstant { .reference(id) }
}

extension ObjectID {
    /// Parses a URI from `uriRepresentation()`.
    /// - Returns: `nil` for any other URI, and for that of a temporary identifier.
    init?(uri: URL) {
        guard let id = ObjectID(uriText: uri.absoluteString), !id.isTemporary else { return nil }
        self = id
    }
}

#if !canImport(Darwin)
// For `object as CVarArg`, which programs write to pass an object to a predicate's format.
extension NSManagedObject: CVarArg, _CVarArgObject, FormatArgumentValue {}
extension NSManagedObjectID: CVarArg, _CVarArgObject, FormatArgumentValue {}
#endif
