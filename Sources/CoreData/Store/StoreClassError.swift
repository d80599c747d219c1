import Foundation

/// What a store of a program's own class cannot do.
enum StoreClassError: Error, Hashable, CustomStringConvertible {
    /// The store was let go while it was in use.
    case storeIsGone
    /// Such a store is written by a context only.
    case noCaller

    var description: String {
        switch self {
        case .storeIsGone: "The store was removed from its coordinator; add it again."
        case .noCaller: "A store of a class of its own is saved by a context; save one."
        }
    }
}
