/// Conflicts of one store, thrown to roll back its transaction and those of other stores. Never thrown by a save.
package struct FoundConflicts: Error {
    package let conflicts: [Conflict]

    package init(conflicts: [Conflict]) { self.conflicts = conflicts }
}
