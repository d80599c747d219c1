import ObjectGraph

/// The results of one query: maintained, or fetched again.
protocol ResultsSource: AnyObject {
    var count: Int { get }
    /// The identifiers of the results, in order.
    var ids: [ObjectID] { get }
    /// The number of fetches because a change could not be followed.
    var refetches: Int { get }
    /// The sections, if the query counts them.
    var sections: [LiveSection]? { get }
    /// Whether anything has happened in the context since the last update. Cheap.
    var mayHaveChanged: Bool { get }
    /// Whether the results may be others than at the last update. Cheap; if updates of other results have shown that these
    /// are the same, it is false.
    var mayBeOthers: Bool { get }
    /// Whether differences are wanted, with all updates of the models.
    var reportsDifferences: Bool { get set }

    /// Brings the results up to date with the context, after merging the saves of others.
    /// - Throws: The errors of `ModelContext.fetch(_:)`. The results then stay.
    func update() throws -> ResultsUpdate
    /// The position of an object in the results; `nil` if it is not among them.
    func position(of record: Record) -> Int?
}

/// What an update of results has changed.
struct ResultsUpdate {
    /// Whether there are other models, or another order, or other sections. Models may have been edited in any case.
    var areOthers = false
    /// The differences, one after the other, if they are wanted.
    var differences: [LiveDifference] = []

    mutating func add(_ difference: LiveDifference, isReported: Bool) {
        if difference.changesOrder { areOthers = true }
        if isReported { differences.append(difference) }
    }
}

extension LiveDifference {
    /// Whether there are other objects, or another order, or other sections. Another identity of an object is no change.
    var changesOrder: Bool {
        !removals.isEmpty || !insertions.isEmpty || !removedSections.isEmpty || !insertedSections.isEmpty
            || movesSections
    }
}
