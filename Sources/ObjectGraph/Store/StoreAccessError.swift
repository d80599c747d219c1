/// A call that the store does not allow in its state.
package enum StoreAccessError: Error, Hashable, CustomStringConvertible {
    case readOnly
    /// Called from within another call that writes.
    case nested
    case generationClosed
    /// The file was migrated, or replaced with another store's content, while it was open here.
    case otherModel
    /// The store was closed, or moved to another file.
    case moved
    /// In bytes.
    case notEnoughDisk(needed: Int64, available: Int64)

    package var description: String {
        switch self {
        case .readOnly: "The store was opened read-only; open it for writing to change it."
        case .nested:
            "The store is being written by the call that this one was made from, a handler of rows for one: make it after "
                + "that call, or before."
        case .otherModel:
            "The file has become another store's, or was migrated to another model, while it was open here; nothing was "
                + "written. Open it anew with the model that it has."
        case .moved:
            "The store was closed, or goes on in another file, since this was begun; nothing was written. Save again, to the "
                + "stores that there are now."
        case .notEnoughDisk(let needed, let available):
            "Writing the file anew takes about \(needed) bytes beside it and among temporary files, and \(available) are "
                + "free; free some space. It was not written anew."
        case .generationClosed: "The state that was to be read is closed with its store; read what the store has now."
        }
    }
}

extension StoreAccessError: StoreError {
    package var isMoved: Bool { self == .moved }
}
