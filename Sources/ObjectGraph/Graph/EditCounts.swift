/// What tells whether anything was edited, or saved, meanwhile.
struct EditCounts {
    /// Grows with every edit, insertion and deletion.
    var count = 0
    /// Saves that carried out bulk deletes: an undo step of a bulk delete is void once it is saved.
    var bulkSaves = 0
    /// Numbers of unsaved edits by object; `nil` while no other graph reads from this one.
    var numbers: [ObjectID: RowVersion]?
}
