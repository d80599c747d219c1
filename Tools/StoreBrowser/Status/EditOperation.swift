import Foundation
import ObjectGraph
import StoreInspection

/// An edit that is being saved or undone, or was the last operation.
struct EditOperation: Sendable {
    /// The edit's identifier in `ShownEdits`.
    let shown: UUID
    let object: ObjectID
    /// The data that undoes the edit.
    var reversal: EditReversal?
}
