import Foundation

/// An object that is notified of changes of a controller's results. All methods are optional, and are called on the context's
/// queue.
///
/// 1. Changes are reported once for each event, at its end or at an earlier `processPendingChanges()`, fetch or `save()`, and once
///    for each merge.
/// 2. A delegate that implements the method for differences gets only these, for a controller without sections. Otherwise changes
///    are reported one by one: the start, sections, results, and the end.
/// 3. Index paths of deletions, and the former ones of moved or updated results, are positions in the table before the event;
///    index paths of insertions, and the new ones, are positions after it. Results that are only shifted by others are not
///    reported.
///
/// The controller that is passed equals the program's own, but need not be the same object, whose type of results may differ.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// Called before changes are reported; the controller still has the former results.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Called for an inserted or deleted section. The results that are inserted or deleted with it are reported too.
    /// - Parameters:
    ///   - controller: the controller, with the new results.
    ///   - sectionInfo: the section.
    ///   - sectionIndex: the index of the section, before the event for a deletion and after it for an insertion.
    ///   - type: `.insert` or `.delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// Called for an inserted, deleted, moved or updated result.
    /// - Parameters:
    ///   - controller: the controller, with the new results.
    ///   - anObject: the result.
    ///   - indexPath: the former index path; `nil` for an insertion.
    ///   - type: the kind of change.
    ///   - newIndexPath: the new index path; `nil` for a deletion.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// Called after all changes of an event have been reported.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Called with all changes of an event as a difference of identifiers, for a controller without sections.
    ///
    /// A moved result is a removal and an insertion that are associated with each other; an updated one likewise, at its own
    /// position.
    /// - Parameters:
    ///   - controller: the controller, with the new results.
    ///   - diff: the changes.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// Returns the index title of a section: that of the controller, unless implemented.
    /// - Parameters:
    ///   - controller: the controller.
    ///   - sectionName: the name of the section.
    /// - Returns: `nil` for a section without a title.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension NSFetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Reports the changes one by one, because the delegate does not implement the method for differences.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.results.reportOneByOne(self)
    }

    /// Returns the controller's index title of the section.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        controller.sectionIndexTitle(forSectionName: sectionName)
    }
}
