import SwiftData

/// A preview of a delete.
struct PreviewView {
    var rows: [PreviewRow]
}

struct PreviewRow {
    /// The style of the row.
    enum Kind: String {
        case deleted = "is-deleted"
        case unlinked = "is-unlinked"
        case obstacle = "is-obstacle"
        case unsaved = "is-unsaved"
    }

    var kind: String
    var previewIcon: String
    var countText: String
    var what: String
    /// Examples by name.
    var names: String?
    /// The relationship and its delete rule, as in the code.
    var rule: String?
}

extension PreviewRow {
    init(_ kind: Kind, _ countText: String, _ what: String, names: String? = nil, rule: String? = nil) {
        let icon =
            switch kind {
            case .deleted: "trash"
            case .unlinked: "unlink"
            case .obstacle: "warning"
            case .unsaved: "pencil"
            }
        self.init(
            kind: kind.rawValue, previewIcon: icon, countText: countText, what: what, names: names, rule: rule)
    }
}

extension Site {
    /// - Parameter unsaved: The number of animals deleted that were never saved. A plan covers stored models only.
    func preview(_ plan: DeletionPlan, unsaved: Int = 0) -> PreviewView {
        var rows = plan.paths.map { path in
            PreviewRow(
                .deleted, Number.text(path.count), Self.word(path.entityName, path.count),
                names: names(plan, path), rule: path.relationship.map { "cascade \($0)" })
        }
        rows += plan.clearedLinks.map { link in
            let entity = link.relationship.split(separator: ".").first.map(String.init) ?? ""
            let what = "\(Self.word(entity, link.count)) \(link.count == 1 ? "stays" : "stay"), without the link"
            return PreviewRow(
                .unlinked, Number.text(link.count), what, names: names(link.examples, of: link.count),
                rule: "nullify \(link.relationship)")
        }
        rows += plan.obstacles.map { obstacle in
            PreviewRow(.obstacle, Number.text(obstacle.count), obstacle.description, rule: obstacle.relationship)
        }
        if unsaved > 0 {
            rows.append(PreviewRow(.unsaved, Number.text(unsaved), Self.word("Animal", unsaved) + ", never saved"))
        }
        return PreviewView(rows: rows)
    }

    /// The plan has examples by class. They belong to the path if it is the only one that reaches the class.
    private func names(_ plan: DeletionPlan, _ path: DeletionPlan.Path) -> String? {
        guard let deleted = plan.deleted.first(where: { $0.entityName == path.entityName }),
            deleted.count == path.count
        else { return nil }
        return names(deleted.examples, of: deleted.count)
    }

    private func names(_ examples: [RowIdentifier], of count: Int) -> String? {
        // Lists up to five names; of more models, three.
        let shown = (count > examples.count ? examples.prefix(3) : examples.prefix(5)).map(PersistentIdentifier.init)
        let names = shown.compactMap { id in (try? zoo.animal(id).name) ?? (try? zoo.category(id).name) }
        guard !names.isEmpty else { return nil }
        let list = names.joined(separator: ", ")
        return count > names.count ? "\(list) and \(Number.text(count - names.count)) more" : list
    }

    private static func word(_ entity: String, _ count: Int) -> String {
        switch (entity, count) {
        case ("Animal", 1): "animal"
        case ("Animal", _): "animals"
        case ("AnimalCategory", 1): "category"
        case ("AnimalCategory", _): "categories"
        default: entity
        }
    }
}
