import Foundation
import ObjectGraph

/// The classes of stores that programs have registered, by type.
enum StoreClasses {
    private static let classes = Locked<[String: NSPersistentStore.Type]>([:])

    static func type(for storeType: String) -> NSPersistentStore.Type? { classes.withLock { $0[storeType] } }
    static var all: [String: NSPersistentStore.Type] { classes.withLock { $0 } }

    static func register(_ type: NSPersistentStore.Type?, for storeType: String) {
        classes.withLock { $0[storeType] = type }
    }
}

extension NSPersistentStoreCoordinator {
    /// The classes of stores by type: those of the library, and those that programs have registered.
    public class var registeredStoreTypes: [String: AnyClass] {
        let own: [String: AnyClass] = [
            NSSQLiteStoreType: NSPersistentStore.self, NSInMemoryStoreType: NSPersistentStore.self,
        ]
        return own.merging(StoreClasses.all) { own, _ in own }
    }

    /// Registers a class for stores of a type. A class or type that is not allowed is logged and not registered.
    /// - Parameters:
    ///   - storeClass: a subclass of `NSAtomicStore` or `NSIncrementalStore`; `nil` removes the type.
    ///   - storeType: a type other than the library's own.
    public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        guard storeType != NSSQLiteStoreType, storeType != NSInMemoryStoreType else {
            CoreDataLog.logger.error("Stores of type '\(storeType)' are the library's own; choose another type.")
            return
        }
        switch storeClass {
        case let type as NSAtomicStore.Type: StoreClasses.register(type, for: storeType)
        case let type as NSIncrementalStore.Type: StoreClasses.register(type, for: storeType)
        case nil: StoreClasses.register(nil, for: storeType)
        case let other?:
            CoreDataLog.logger.error(
                "\(other) is no class of stores; derive it from NSAtomicStore or NSIncrementalStore.")
        }
    }

    /// Registers a class for stores of a type. A class or type that is not allowed is logged and not registered.
    /// - Parameters:
    ///   - storeClass: a subclass of `NSAtomicStore` or `NSIncrementalStore`; `nil` removes the type.
    ///   - type: a type other than the library's own.
    public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
        registerStoreClass(storeClass, forStoreType: type.rawValue)
    }
}
