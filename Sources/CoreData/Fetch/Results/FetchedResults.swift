import Foundation
import ObjectGraph

/// The results of a controller, updated as its context changes.
///
/// 1. A change of objects that the request may match evaluates only these objects again; nothing is fetched.
/// 2. The request is fetched again if changed objects may affect other results (through a key path), if it has a limit or offset,
///    or if others changed rows that the context has not read; also at the next change after one in which the store failed.
/// 3. In both cases the delegate receives the difference between the former and the new results.
final class FetchedResults {
    let context: NSManagedObjectContext
    let sectionNameKeyPath: String?
    let cacheName: String?
    weak var delegate: (any NSFetchedResultsControllerDelegate)?
    /// The controller made by the program.
    weak var owner: (any FetchedResultsOwner)?
    private(set) var content: FetchedContent?
    private var tracking: ResultTracking?
    /// Whether the store failed during a change, so that its effect is unknown.
    private var isBehind = false
    /// The changes being reported to the delegate.
    private var reported: FetchedChanges?
    /// Changes that occurred while others were being reported.
    private var waiting: [ContextChange] = []

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
        let content = content(try objects(request))
        if let index = content.scatteredIndex {
            throw CocoaError(
                .coreData,
                text:
                    "The fetched object at index \(index) has an out of order section name '\(content.names[index])'. "
                    + "Objects must be sorted by section name: let the first sort descriptor be the section's.")
        }
        tracking = try ResultTracking(request, sectionNameKeyPath, context)
        self.content = content
        isBehind = false
    }

    private func objects(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [NSObject] {
        try context.results(of: request).compactMap { $0 as? NSObject }
    }

    // MARK: Content

    private func content(_ objects: [NSObject]) -> FetchedContent {
        content(objects, names: sectionNameKeyPath.map { path in objects.map { Self.sectionName(of: $0, path) } })
    }

    private func content(_ objects: [NSObject], names: [String]?) -> FetchedContent {
        FetchedContent(objects, names: names, title: indexTitle)
    }

    private func indexTitle(_ name: String) -> String? {
        guard let owner else { return nil }
        return delegate.map { $0.controller(owner.untyped, sectionIndexTitleForSectionName: name) }
            ?? owner.indexTitle(forSectionName: name)
    }

    private static func sectionName(of object: NSObject, _ path: String) -> String {
        let value: Any? =
            switch object {
            case let object as NSManagedObject: object.value(forKeyPath: path)
            case let dictionary as NSDictionary: dictionary[path]
            default: nil
            }
        switch value {
        case nil, is NSNull: return ""
        case let text as String: return text
        case let number as NSNumber: return number.stringValue
        case let value?: return "\(value)"
        }
    }

    // MARK: After a change

    /// - Returns: `nil` if the change does not affect the results.
    private func content(after change: ContextChange, _ old: FetchedContent, _ tracking: ResultTracking) throws
        -> FetchedContent?
    {
        switch (change, tracking.reach(of: change)) {
        case (_, .nothing): return nil
        case (.objects(let changed), .themselves): return try merged(changed, old, tracking)
        default: return content(try objects(tracking.request))
        }
    }

    /// The unchanged results together with the changed objects that match, each at its position.
    private func merged(
        _ changed: Set<NSManagedObject>, _ old: FetchedContent, _ tracking: ResultTracking
    ) throws -> FetchedContent {
        let kept = old.objects.indices.filter { index in
            !((old.objects[index] as? NSManagedObject).map(changed.contains) ?? false)
        }
        let placed = try tracking.places(of: changed, among: kept.map { old.objects[$0] })
        var (objects, names): ([NSObject], [String]) = ([], [])
        objects.reserveCapacity(kept.count + placed.count)
        var next = placed[...]
        for place in 0...kept.count {
            while let incoming = next.first, incoming.place == place {
                next.removeFirst()
                objects.append(incoming.object)
                if let sectionNameKeyPath { names.append(Self.sectionName(of: incoming.object, sectionNameKeyPath)) }
            }
            guard place < kept.count else { break }
            objects.append(old.objects[kept[place]])
            if sectionNameKeyPath != nil { names.append(old.names[kept[place]]) }
        }
        return content(objects, names: sectionNameKeyPath == nil ? nil : names)
    }
}

// MARK: - Reporting

extension FetchedResults: ContextFollower {
    func follow(_ change: ContextChange) {
        guard delegate != nil, content != nil else { return }
        waiting.append(change)
        // Changes that a delegate makes are reported after the current ones.
        guard reported == nil else { return }
        while !waiting.isEmpty { take(waiting.removeFirst()) }
    }

    private func take(_ change: ContextChange) {
        guard let old = content, let tracking else { return }
        let change = isBehind ? .everything : change
        do {
            let new = try content(after: change, old, tracking)
            isBehind = false
            guard let new else { return }
            content = new
            report(FetchedChanges(from: old, to: new) { change.concerns($0) })
        } catch {
            isBehind = true
            context.report(error)
        }
    }

    private func report(_ changes: FetchedChanges) {
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
        guard let changes = reported, let controller = owner?.untyped else { return }
        content = changes.old
        delegate.controllerWillChangeContent(controller)
        content = changes.new
        for change in changes.sections {
            delegate.controller(
                controller, didChange: change.section, atSectionIndex: change.index, for: change.type)
        }
        for change in changes.objects {
            delegate.controller(
                controller, didChange: change.object, at: change.old.map(changes.old.indexPath), for: change.type,
                newIndexPath: change.new.map(changes.new.indexPath))
        }
        delegate.controllerDidChangeContent(controller)
    }
}

extension ContextChange {
    /// Whether the values of an object may have changed.
    fileprivate func concerns(_ object: NSObject) -> Bool {
        switch self {
        case .objects(let changed): (object as? NSManagedObject).map(changed.contains) ?? false
        case .rows(let unread, _): (object as? NSManagedObject).map { unread.contains($0.record.id) } ?? false
        case .everything: true
        }
    }
}
