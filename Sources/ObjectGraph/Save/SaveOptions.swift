/// What a face wants of its graph's saves.
package struct SaveOptions: Sendable {
    /// Written to the history beside the author.
    package var contextName: String?
    package var constraints = ConstraintRule.updateExisting

    package init() {}
}
