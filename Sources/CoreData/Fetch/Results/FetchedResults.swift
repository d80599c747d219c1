import Foundation
import ObjectGraph

/// The results of a controller, which follow their context.
///
/// 1. The engine's follower of queries says which results an event removed, inserted, or changed in their places. The content
///    is changed accordingly, and the delegate receives the same: nothing is compared, and nothing fetched.
/// 2. Sections are made of names, which are read of the objects: a key path may name a property of the program's class. Only
///    the names of changed results are read again.
/// 3. The request is fetched again after a reset, at the first event with a delegate that was set after the fetch, after the
///    store failed, and after each change if the request leaves out stores.
final class FetchedResults {
    let context: NSManagedObjectContext
    let sectionNameKeyPath: String?
    let cacheName: String?
    weak var delegate: (any NSFetchedResultsControllerDelegate)?
    /// The controller made by the program.
    weak var owner: (any FetchedResultsOwner)?
    private(set) var content: FetchedContent?
    /// The fetched request.
    private var request: NSFetchRequest<any NSFetchRequestResult>?
    private(set) var followed: FollowedRequest?
    /// Events that are not reported yet.
    private var noted: [Noted] = []
    /// The number of results after these.
    private var notedCount = 0
    /// The changes being reported to the delegate.
    private var reported: FetchedChanges?

    private enum Noted {
        case event(FetchedChanges.Event)
        /// The request must be fetched again.
        case renewal(GraphChanges)
    }

    init(_ context: NSManagedObjectContext, sectionNameKeyPath: String?, cacheName: String?) {
        self.context = context
        self.sectionNameKeyPath = sectionNameKeyPath
        self.cacheName = cacheName
        context.followers.add(self)
    }

    /// - Throws: `CocoaError` 134060 for a request without sort descriptors (an empty list is enough) or with sections that its
    ///   order scatters, and errors of fetching.
    func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws {
        guard request.sortDescriptors != nil else {
            throw CocoaError(
                .coreData,
                text: "An instance of NSFetchedResultsController requires a fetch request with sort descriptors.")
        }
        request.includesPendingChanges = true
        // Also of requests that are not followed.
        let plan = try RequestPlan(request, context.core)
        let (objects, followed) = try found(request, plan)
        let runs = runs(of: objects)
        if let index = runs.scatteredIndex {
            context.followers.unfollow(self)
            self.followed = nil
            throw CocoaError(
                .coreData,
                text:
                    "The fetched object at index \(index) has an out of order section name '\(runs.name(at: index))'. "
                    + "Objects must be sorted by section name: let the first sort descriptor be the section's.")
        }
        content = FetchedContent(objects, runs)
        (self.request, self.followed) = (request, followed)
        (noted, notedCount, reported) = ([], objects.count, nil)
    }

    /// Fetches, and follows the request from now on if there is a delegate.
    private func found(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ plan: RequestPlan
    ) throws -> ([NSObject], FollowedRequest?) {
        guard delegate != nil, request.resultType == .managedObjectResultType else {
            context.followers.unfollow(self)
            return (try context.results(of: request).compactMap { $0 as? NSObject }, nil)
        }
        let (objects, followed) = try FollowedRequest.fetch(request, plan, sectionNameKeyPath, for: self, in: context)
        return (objects, followed)
    }

    // MARK: Content

    /// Returns the index path of a result.
    func indexPath(of object: NSObject) -> IndexPath? {
        guard let content else { return nil }
        let likely = (object as? NSManagedObject).flatMap { followed?.position(of: $0) }
        return content.position(of: object, likely: likely).map(content.runs.indexPath)
    }

    private func runs(of objects: [NSObject]) -> SectionRuns {
        sectionNameKeyPath == nil
            ? SectionRuns(count: objects.count) : SectionRuns(names: objects.map(sectionName), title: indexTitle)
    }

    private func indexTitle(_ name: String) -> String? {
        guard let owner else { return nil }
        return delegate.map { $0.controller(owner.untyped, sectionIndexTitleForSectionName: name) }
            ?? owner.indexTitle(forSectionName: name)
    }

    private func sectionName(of object: NSObject) -> String {
        guard let sectionNameKeyPath else { return "" }
        let value: Any? =
            switch object {
            case let object as NSManagedObject: object.value(forKeyPath: sectionNameKeyPath)
            case let dictionary as NSDictionary: dictionary[sectionNameKeyPath]
            default: nil
            }
        switch value {
        case nil, is NSNull: return ""
        case let text as String: return text
        case let number as NSNumber: return number.stringValue
        case let value?: return "\(value)"
        }
    }
}

// MARK: - Following

extension FetchedResults: ContextFollower {
    func note(_ change: GraphChanges, _ difference: LiveDifference?) {
        guard content != nil, request?.resultType == .managedObjectResultType else { return }
        guard delegate != nil else {
            // The results stay as they are; a delegate set later gets the difference.
            if followed != nil { context.followers.unfollow(self) }
            followed = nil
            return
        }
        guard let followed, context.followers.isFollowed(followed.results) else {
            return noted.append(.renewal(change))
        }
        if followed.results.isBehind {
            self.followed = nil
            return
        }
        let changed = followed.positions(of: change)
        if !followed.isExact {
            if difference != nil || !changed.isEmpty { noted.append(.renewal(change)) }
            return
        }
        let (count, difference) = (followed.results.count, difference ?? LiveDifference())
        guard notedCount + difference.insertions.count - difference.removals.count == count,
            let event = FetchedChanges.Event(
                difference, changed: changed, of: count, change, { followed.object(at: $0, in: context) })
        else { return noted.append(.renewal(change)) }
        notedCount = count
        if !event.isEmpty { noted.append(.event(event)) }
    }

    func reportNoted() {
        // Changes that a delegate makes are reported after the current ones.
        guard reported == nil else { return }
        while !noted.isEmpty {
            switch noted.removeFirst() {
            case .event(let event): report(event)
            case .renewal(let change): renew(change)
            }
        }
    }

    /// Fetches again, and reports how the results differ.
    private func renew(_ change: GraphChanges) {
        guard let content, let request else { return }
        do {
            let objects: [NSObject]
            if let followed, context.followers.isFollowed(followed.results) {
                objects = try context.results(of: request).compactMap { $0 as? NSObject }
            } else {
                (objects, followed) = try found(request, RequestPlan(request, context.core))
            }
            // The results include all changes so far.
            (noted, notedCount) = ([], objects.count)
            let managed = objects.compactMap { $0 as? NSManagedObject }
            let difference = LiveDifference(
                from: content.objects.compactMap { ($0 as? NSManagedObject)?.record.id },
                to: managed.map(\.record.id), renamed: [:])
            if let event = FetchedChanges.Event(difference, changed: [], of: managed.count, change, { managed[$0] }) {
                report(event)
            }
        } catch {
            followed = nil
            context.report(error)
        }
    }

    // MARK: Reporting

    private func report(_ event: FetchedChanges.Event) {
        guard let content else { return }
        let changes = FetchedChanges(event, of: content, name: sectionName, title: indexTitle)
        content.apply(changes.edit)
        guard !changes.isEmpty, let delegate, let owner else { return }
        reported = changes
        defer { reported = nil }
        if sectionNameKeyPath == nil, let difference = changes.difference {
            delegate.controller(owner.untyped, didChangeContentWith: difference)
        } else {
            reportOneByOne(delegate)
        }
    }

    /// Reports the current changes one by one, for delegates that do not implement the method for differences.
    func reportOneByOne(_ delegate: any NSFetchedResultsControllerDelegate) {
        guard let changes = reported, let content, let controller = owner?.untyped else { return }
        content.apply(changes.edit.reversed)
        delegate.controllerWillChangeContent(controller)
        content.apply(changes.edit)
        for change in changes.sections {
            delegate.controller(
                controller, didChange: change.deleted ?? content.sections[change.index],
                atSectionIndex: change.index, for: change.type)
        }
        let (former, present) = (changes.edit.formerRuns, changes.edit.runs)
        for change in changes.objects {
            delegate.controller(
                controller, didChange: change.object, at: change.old.map(former.indexPath), for: change.type,
                newIndexPath: change.new.map(present.indexPath))
        }
        delegate.controllerDidChangeContent(controller)
    }
}
