/// A face's options for its graph's saves.
package struct SaveOptions {
    /// Written to the history with the author.
    package var contextName: String?
    package var constraints = ConstraintRule.updateExisting
    package var replacements: Set<ChangeSet.Replacement> = []
    /// Objects without changes to save whose rows must be unchanged since they were read. Saved objects are compared
    /// anyway.
    package var watched: [Record] = []
    /// Decides conflicts; without one, unsaved values win property by property.
    package weak var conflictJudge: (any ConflictJudge)?

    package init() {}
}
