import Foundation

/// Receives the changes of a controller's results. All methods are optional.
///
/// 1. Changes are reported once for each event, at its end or at an earlier `processPendingChanges()`, fetch or `save()`, and
///    once for each merge.
/// 2. A delegate that takes differences is told nothing else. Any other is told one by one: that changes come, sections,
///    results, and that changes were told.
/// 3. Deletions, and where a moved or updated result was, are places in the table as it was before the event; insertions,
///    and where a result is now, are places in the table as it is after it. Those who are merely pushed on by others are
///    not told of.
///
/// The controller that is handed over equals the one that was made, but need not be the same object, as that one may be of
/// another type of results.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// The results are still those of before.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// A section came or went. Results that come or go with it are told of too.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// - Parameters:
    ///   - indexPath: where it was; `nil` for an insertion.
    ///   - newIndexPath: where it is; `nil` for a deletion.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// All changes of an event, for a controller without sections. A moved result is a removal and an insertion that name
    /// each other; an updated one likewise, at its own place.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// What stands for a section in the index beside a table; what the controller says, unless implemented.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension NSFetchedResultsControllerDelegate {
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Who does not take differences is told one by one.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.results.tellOneByOne(self)
    }

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        controller.sectionIndexTitle(forSectionName: sectionName)
    }
}
