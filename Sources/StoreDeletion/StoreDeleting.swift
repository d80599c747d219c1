import Foundation
import ObjectGraph

/// What SwiftData's `ModelContainer` and Core Data's `NSPersistentStoreCoordinator` and `NSPersistentContainer` can do about
/// deletions that were started or archived, under the same names.
///
/// Plans are made by contexts: see `DeletionPlan`.
public protocol StoreDeleting {
    /// What the methods of this protocol work on. It has nothing that programs could use.
    var deletionStores: DeletionStores { get }
}

/// The stores of a container or coordinator, as deletions see them.
public struct DeletionStores: Sendable {
    let host: any DeletionHost

    package init(_ host: any DeletionHost) { self.host = host }
}

extension StoreDeleting {
    /// Is called with the rows that deletions take before they are committed: by plans when they are carried out, by each chunk
    /// of a long deletion, by deletes by predicate and `erase()` of SwiftData, and by batch deletes of Core Data. Objects
    /// deleted one by one are not among them. It is not retained.
    public var deletionDelegate: (any DeletionDelegate)? {
        get { host.delegateReference.delegate }
        nonmutating set { host.delegateReference.delegate = newValue }
    }

    var host: any DeletionHost { deletionStores.host }
}
