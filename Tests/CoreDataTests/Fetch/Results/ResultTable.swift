import CoreData
import Testing

/// A table that applies the reports of a controller, and never reads anything else from it.
final class ResultTable: NSObject, NSFetchedResultsControllerDelegate {
    struct Section: Equatable {
        var name: String
        var rows: [NSManagedObject]
    }

    private(set) var sections: [Section] = []
    /// One line for each report since the last reset: `+[1, 0]`, `-[0, 2]`, `[0, 0]>[1, 3]`, `~[0, 1]`, `S+1`, `S-0`.
    var reports: [String] = []
    /// Contents that did not fit the reports.
    private(set) var faults: [String] = []
    private(set) var eventCount = 0
    private var sectionReports: [(type: NSFetchedResultsChangeType, index: Int, name: String)] = []
    private var rowReports: [(object: NSManagedObject, old: IndexPath?, new: IndexPath?)] = []

    func load(_ controller: NSFetchedResultsController<NSManagedObject>) {
        sections = Self.sections(of: controller.sections)
        reports = []
    }

    static func sections(of sections: [any NSFetchedResultsSectionInfo]?) -> [Section] {
        (sections ?? []).map { Section(name: $0.name, rows: $0.objects?.compactMap { $0 as? NSManagedObject } ?? []) }
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        eventCount += 1
        (sectionReports, rowReports) = ([], [])
        if Self.sections(of: controller.sections) != sections {
            faults.append("not as before when changes are announced")
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        if !rowReports.isEmpty { faults.append("a section after results") }
        sectionReports.append((type, sectionIndex, sectionInfo.name))
        reports.append("S\(type == .insert ? "+" : "-")\(sectionIndex)")
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let object = anObject as? NSManagedObject else { return faults.append("no object") }
        let (old, new) = (indexPath.map(Array.init), newIndexPath.map(Array.init))
        switch (type, old, new) {
        case (.insert, nil, let new?): reports.append("+\(new)")
        case (.delete, let old?, nil): reports.append("-\(old)")
        case (.move, let old?, let new?): reports.append("\(old)>\(new)")
        case (.update, let old?, _?):
            reports.append("~\(old)")
            if row(IndexPath(indexes: old)) !== object { faults.append("updated object is not at \(old)") }
            return
        default: faults.append("\(type) with \(String(describing: old)), \(String(describing: new))")
        }
        rowReports.append((object, indexPath, newIndexPath))
    }

    private func row(_ path: IndexPath) -> NSManagedObject? {
        guard sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.row) else {
            return nil
        }
        return sections[path.section].rows[path.row]
    }

    /// Applies an event as a table does: deletions by the old places, insertions by the new ones.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        for (object, old, _) in rowReports.filter({ $0.old != nil }).sorted(by: { $0.old ?? [] > $1.old ?? [] }) {
            guard let old, row(old) === object else {
                faults.append("nothing to take at \(String(describing: old))")
                continue
            }
            sections[old.section].rows.remove(at: old.row)
        }
        for report in sectionReports.filter({ $0.type == .delete }).sorted(by: { $0.index > $1.index }) {
            guard sections.indices.contains(report.index), sections[report.index].name == report.name else {
                faults.append("no section \(report.index)")
                continue
            }
            if !sections[report.index].rows.isEmpty { faults.append("section \(report.index) goes with rows") }
            sections.remove(at: report.index)
        }
        for report in sectionReports.filter({ $0.type == .insert }).sorted(by: { $0.index < $1.index }) {
            guard report.index <= sections.count else {
                faults.append("no place for section \(report.index)")
                continue
            }
            sections.insert(Section(name: report.name, rows: []), at: report.index)
        }
        for (object, _, new) in rowReports.filter({ $0.new != nil }).sorted(by: { $0.new ?? [] < $1.new ?? [] }) {
            guard let new, sections.indices.contains(new.section), new.row <= sections[new.section].rows.count else {
                faults.append("no place at \(String(describing: new))")
                continue
            }
            sections[new.section].rows.insert(object, at: new.row)
        }
        let shown = Self.sections(of: controller.sections)
        if shown != sections { faults.append("\(text(sections)) after \(reports), not \(text(shown))") }
    }

    /// How the table differs from a new fetch of the controller's request; `nil` if it does not.
    func difference(from controller: NSFetchedResultsController<NSManagedObject>) throws -> String? {
        if let fault = faults.first { return fault }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
        request.predicate = controller.fetchRequest.predicate
        request.sortDescriptors = controller.fetchRequest.sortDescriptors
        request.fetchLimit = controller.fetchRequest.fetchLimit
        request.fetchOffset = controller.fetchRequest.fetchOffset
        let fresh = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: controller.managedObjectContext,
            sectionNameKeyPath: controller.sectionNameKeyPath, cacheName: nil)
        try fresh.performFetch()
        let wanted = Self.sections(of: fresh.sections)
        return sections == wanted ? nil : "shows \(text(sections)), fetched \(text(wanted))"
    }

    func text(_ sections: [Section]) -> String {
        sections.map { section in
            "\(section.name): "
                + section.rows.map { "\($0.value(forKey: "name") ?? "nil")/\($0.value(forKey: "age") ?? "nil")" }
                .joined(separator: ", ")
        }.joined(separator: "; ")
    }
}

extension TestStack {
    /// A controller of animals by age, then name.
    func controller(
        sections: String? = nil, _ predicate: NSPredicate? = nil, in context: NSManagedObjectContext? = nil,
        _ keys: [String] = ["age", "name"]
    ) -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
        request.predicate = predicate
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context ?? self.context, sectionNameKeyPath: sections,
            cacheName: nil)
    }
}
