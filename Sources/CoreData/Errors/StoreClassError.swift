import Foundation

/// An error of a store of a program's own class.
enum StoreClassError: Error, Hashable, CustomStringConvertible {
    /// The store was released while it was in use.
    case storeIsGone
    /// The store was written without a context.
    case noCaller

    var description: String {
        switch self {
        case .storeIsGone: "The store was removed from its coordinator; add it again."
        case .noCaller: "A store of a class of its own is saved by a context; save one."
        }
    }
}
