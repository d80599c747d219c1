/// What a face wants of its graph's saves.
package struct SaveOptions {
    /// Written to the history beside the author.
    package var contextName: String?
    package var constraints = ConstraintRule.updateExisting
    package var replacements: Set<ChangeSet.Replacement> = []
    /// Objects whose rows are to be as they were when they were read, although nothing of them is saved. Those that are
    /// saved are compared anyway.
    package var watched: [Record] = []
    /// Decides about conflicts; without one, unsaved values win property by property.
    package weak var conflictJudge: (any ConflictJudge)?

    package init() {}
}
