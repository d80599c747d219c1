import Foundation

/// The results at one moment, divided into sections. Changed in place.
final class FetchedContent {
    private(set) var objects: [NSObject]
    private(set) var runs: SectionRuns
    /// Increases with each change.
    private(set) var version = 0
    private var knownSections: [FetchedSection]?
    private var knownPositions: [NSObject: Int]?

    init(_ objects: [NSObject], _ runs: SectionRuns) {
        self.objects = objects
        self.runs = runs
    }

    /// A change of contents that can be reverted.
    struct Edit {
        /// By former position, ascending.
        var removals: [(position: Int, object: NSObject)] = []
        /// By present position, ascending.
        var insertions: [(position: Int, object: NSObject)] = []
        var formerRuns: SectionRuns
        var runs: SectionRuns

        var reversed: Edit {
            Edit(removals: insertions, insertions: removals, formerRuns: runs, runs: formerRuns)
        }
    }

    func apply(_ edit: Edit) {
        (knownSections, knownPositions) = (nil, nil)
        version += 1
        runs = edit.runs
        if edit.removals.count + edit.insertions.count > Self.mostInPlace {
            let insertions = edit.insertions.map { (position: $0.position, element: $0.object) }
            return objects.replace(removing: edit.removals.map(\.position), inserting: insertions)
        }
        for removal in edit.removals.reversed() { objects.remove(at: removal.position) }
        for insertion in edit.insertions { objects.insert(insertion.object, at: insertion.position) }
    }

    /// Above this number of removed and inserted results, all results are copied once.
    private static var mostInPlace: Int { 8 }

    // MARK: Sections

    var sections: [FetchedSection] {
        if let knownSections { return knownSections }
        let sections = runs.runs.indices.map { FetchedSection(runs.runs[$0], objects[runs.range(of: $0)]) }
        knownSections = sections
        return sections
    }

    /// A section that does not share the memory of the results, so that these can be changed in place.
    func copy(ofSection index: Int) -> FetchedSection {
        FetchedSection(runs.runs[index], ArraySlice(Array(objects[runs.range(of: index)])))
    }

    // MARK: Positions

    /// - Parameter likely: where the object probably is.
    func position(of object: NSObject, likely: Int?) -> Int? {
        if let likely, objects.indices.contains(likely), objects[likely] === object { return likely }
        let positions =
            knownPositions
            ?? Dictionary(zip(objects, objects.indices), uniquingKeysWith: { first, _ in first })
        knownPositions = positions
        return positions[object]
    }

    func object(at indexPath: IndexPath) -> NSObject? {
        guard indexPath.count == 2, runs.runs.indices.contains(indexPath[0]) else { return nil }
        let range = runs.range(of: indexPath[0])
        let position = range.lowerBound + indexPath[1]
        return range.contains(position) ? objects[position] : nil
    }
}

/// Results with the same section name.
final class FetchedSection: NSFetchedResultsSectionInfo {
    let name: String
    let indexTitle: String?
    private let results: ArraySlice<NSObject>

    init(_ run: SectionRuns.Run, _ results: ArraySlice<NSObject>) {
        (name, indexTitle) = (run.name, run.title)
        self.results = results
    }

    var numberOfObjects: Int { results.count }
    var objects: [Any]? { Array(results) }
}
