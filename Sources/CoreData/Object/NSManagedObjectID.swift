import Foundation
import FoundationAdditions
import ObjectGraph
import PredicateFormat

/// The identity of a managed object: a value, equal across contexts, that may be kept and sent anywhere.
///
/// Before its first save an object has a temporary one.
nonisolated open class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    // All properties are constants; the core is Sendable, and descriptions of a model in use do not change.
    final package let id: ObjectID
    final let core: CoordinatorCore?
    /// That of an object without a context.
    private let ownEntity: NSEntityDescription?

    init(_ id: ObjectID, _ core: CoordinatorCore?, _ ownEntity: NSEntityDescription? = nil) {
        self.id = id
        self.core = core
        self.ownEntity = core == nil ? ownEntity : nil
        super.init()
    }

    /// The object's own entity, whatever entity it was fetched by.
    open var entity: NSEntityDescription {
        core?.tables.table(named: id.entityName)?.description ?? ownEntity ?? NSEntityDescription()
    }

    /// The store that has the object; `nil` before the first save, and once the store is removed.
    open weak var persistentStore: NSPersistentStore? {
        id.storeIdentifier.flatMap { core?.persistentStore(identifier: $0) }
    }

    open var isTemporaryID: Bool { id.isTemporary }

    /// `x-coredata://<store>/<Entity>/p<key>`, with `t` in place of `p` before the first save. Stores of a program's own class
    /// have their references for keys.
    open func uriRepresentation() -> URL {
        URL(string: core?.uriText(of: id) ?? id.uriText) ?? URL(fileURLWithPath: "/")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSManagedObjectID)?.id == id
    }

    open override var hash: Int { id.hashValue }

    open override var description: String { "<\(id.uriText)>" }
}

extension NSManagedObjectID: ObjectIDRepresentable {
    package var graphObjectID: ObjectID? { id }
}

extension NSManagedObjectID: FormatConvertible {
    package var formatConstant: FormatConstant { .reference(id) }
}

extension ObjectID {
    /// Reads the form of `uriRepresentation()`.
    /// - Returns: `nil` for any other text, and for temporary identities, which no text can name.
    init?(uri: URL) {
        guard let id = ObjectID(uriText: uri.absoluteString), !id.isTemporary else { return nil }
        self = id
    }
}

#if !canImport(Darwin)
// `object as CVarArg`, which programs write to hand an object to a predicate's format.
extension NSManagedObject: CVarArg, _CVarArgObject, FormatArgumentValue {}
extension NSManagedObjectID: CVarArg, _CVarArgObject, FormatArgumentValue {}
#endif
