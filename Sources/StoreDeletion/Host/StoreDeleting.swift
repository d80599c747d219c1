import Foundation
import ObjectGraph

/// The operations on started and archived deletions that SwiftData's `ModelContainer` and Core Data's
/// `NSPersistentStoreCoordinator` and `NSPersistentContainer` share.
///
/// Plans are made by contexts: see ``DeletionPlan``.
public protocol StoreDeleting {
    /// The stores that the methods of this protocol work on. The value has no members for programs.
    var deletionStores: DeletionStores { get }
}

/// The stores of a container or coordinator, as deletions use them.
public struct DeletionStores: Sendable {
    let host: any DeletionHost

    package init(_ host: any DeletionHost) { self.host = host }
}

extension StoreDeleting {
    /// The object that is called with the rows of deletions before they are committed; it is not retained.
    ///
    /// It is called for plans when they are carried out, each chunk of a long deletion, deletes by predicate and `erase()` of
    /// SwiftData, and batch deletes of Core Data; not for objects that are deleted one by one.
    public var deletionDelegate: (any DeletionDelegate)? {
        get { host.delegateReference.delegate }
        nonmutating set { host.delegateReference.delegate = newValue }
    }

    var host: any DeletionHost { deletionStores.host }
}
