/// Other options of a face for its graph.
package struct GraphOptions {
    /// Whether objects are kept without references from the program.
    package var retainsObjects = false
    /// Whether the face reads values that inserted objects store themselves.
    package var asksForConstants = false
    /// Whether the face is notified when unsaved changes begin or grow. A call for each change would take longer than
    /// most changes.
    package var notifiesOfChanges = false
    /// Whether the face is notified of the next edit even if there were unsaved changes before. Set after a failed
    /// automatic save, because the edit may let the next one succeed.
    package var notifiesOfNextEdit = false
    /// Whether changes of others are merged only when the face asks for it, not by fetches and saves.
    package var mergesWhenAsked = false
    /// Notified of the rows of bulk deletes.
    package var deleteObserver: (any DeleteObserver)?
}
