/// Counters that show whether anything was edited or saved in the meantime.
struct EditCounts {
    /// Increases with every edit, insertion and deletion.
    var count = 0
    /// The number of saves that executed bulk deletes. Saving a bulk delete invalidates its undo step.
    var bulkSaves = 0
    /// Numbers of unsaved edits, by object; `nil` while no other graph reads from this one.
    var numbers: [ObjectID: RowVersion]?
}
