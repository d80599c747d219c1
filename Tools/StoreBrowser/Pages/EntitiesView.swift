import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// All entities with their row counts, and notes about the file.
struct EntitiesView: View {
    let title: String
    let place = Place.entities
    private let model: Model
    /// Row counts of the entities, without subentities.
    private let counts: [Int]
    private let identifier: String
    private let bytes: Int64
    private let newestTransaction: Int64?
    /// The newest remaining transaction. Its number is no count, as older transactions may have been pruned.
    private let newestSave: HistoryTransaction?

    init(_ store: SQLiteStore, counts: [Int], url: URL) throws {
        title = url.lastPathComponent
        model = store.model
        self.counts = counts
        identifier = store.identifier
        newestTransaction = try store.historyToken()?.number(of: store.identifier)
        newestSave = newestTransaction == nil ? nil : try HistoryListing(store).newest(1).first
        bytes = ["", "-wal"].reduce(0) { $0 + (FileStamp(URL(fileURLWithPath: url.path + $1))?.size ?? 0) }
    }

    private func count(_ entity: Entity) -> Int {
        entity.familyIndexes.reduce(0) { $0 + (counts.indices.contains($1) ? counts[$1] : 0) }
    }

    private func ownCount(_ entity: Entity) -> Int { counts.indices.contains(entity.index) ? counts[entity.index] : 0 }

    var value: InspectedValue {
        .fields([
            InspectedField("file", .text(title)), InspectedField("identifier", .text(identifier)),
            InspectedField("bytes", .integer(bytes)), InspectedField("rows", .count(counts.reduce(0, +))),
            InspectedField("newestTransaction", newestTransaction.map(InspectedValue.integer) ?? .none),
            InspectedField(
                "entities",
                .list(
                    ModelOutline.sorted(model).map { entity in
                        .fields([
                            InspectedField("name", .text(entity.name)), InspectedField("rows", .count(count(entity))),
                            InspectedField("ownRows", .count(ownCount(entity))),
                            InspectedField("superentity", .optional(entity.superentityIndex.map { model[$0].name })),
                        ])
                    })),
        ])
    }

    func body(_ addresses: Addresses) -> Markup {
        let most = max(1, model.entities.map(count).max() ?? 1)
        return """
            <h1><bdi>\(title)</bdi></h1>
            <dl class="facts" data-live="facts">
            \(Parts.fact("Rows", "\(Amounts.count(counts.reduce(0, +)))"))
            \(Parts.fact("Entities", "\(model.entities.count)"))
            \(Parts.fact("On disk", "\(Amounts.bytes(bytes))"))
            \(Parts.fact("Newest save", save(addresses)))
            \(Parts.fact("Store", "<code>\(identifier)</code>"))
            </dl>
            <div class="scroll" data-live="entities"><table class="cards entities-table">
            <thead><tr><th>Entity</th><th class="number">Rows</th><th class="share">Share</th>\
            <th class="number">Attributes</th><th>Relationships</th></tr></thead>
            <tbody>\(ModelOutline.sorted(model).map { row($0, most, addresses) })</tbody>
            </table></div>
            \(legend)
            """
    }

    /// Explains the colours of the delete rules that the model uses.
    private var legend: Markup? {
        let used = Set(model.entities.flatMap(\.relationships).map(\.relationship.deleteRule))
        let words: [(DeleteRule, String)] = [
            (.cascade, "cascade: its destinations are deleted too"),
            (.deny, "deny: refuses the delete while it has a destination"),
            (.nullify, "nullify: the link is cleared"), (.noAction, "no action: the link is left as it is"),
        ]
        let items: [Markup] = words.filter { used.contains($0.0) }.map { rule, text in
            let name = TypeText.text(rule)
            let rest = text.drop { $0 != ":" }
            return "<li><span class=\"chip \(rule == .noAction ? "none" : name)\">\(name)</span>\(String(rest))</li>"
        }
        return items.isEmpty ? nil : "<ul class=\"legend\" aria-label=\"Delete rules\">\(items)</ul>"
    }

    private func save(_ addresses: Addresses) -> Markup {
        guard let newestSave else { return "none kept" }
        return """
            <a href="\(addresses.transaction(newestSave.number))">#\(newestSave.number)</a> \
            <small>\(DateText.readable(newestSave.timestamp))</small>
            """
    }

    private func row(_ entity: Entity, _ most: Int, _ addresses: Addresses) -> Markup {
        let rows = count(entity)
        let note: Markup? =
            entity.isAbstract
            ? "<span class=\"dim\">abstract</span>"
            : entity.superentityIndex.map { "<span class=\"dim\">is a <bdi>\(model[$0].name)</bdi></span>" as Markup }
        return """
            <tr><th scope="row" class="depth-\(min(4, PageFrame.depth(entity, in: model)))">\
            <a href="\(addresses.rows(entity.name))"><bdi>\(entity.name)</bdi></a> \(note)</th>
            <td class="number" data-label="Rows">\(Amounts.count(rows))</td>
            <td class="share">\(Self.bar(Double(rows) / Double(most)))</td>
            <td class="number" data-label="Attributes">\(ModelOutline.ownAttributes(entity).count)</td>
            <td data-label="Relationships"><span class="chips">\(relationships(of: entity))</span></td></tr>
            """
    }

    /// Draws the row count relative to the largest one.
    private static func bar(_ share: Double) -> Markup {
        let width = share > 0 ? max(0.6, 100 * share) : 0
        return """
            <svg class="share-bar" width="100%" height="8" aria-hidden="true"><rect class="all" width="100%" height="8" rx="4"/>\
            <rect class="own" width="\(SVGText.number(width))%" height="8" rx="4"/></svg>
            """
    }

    private func relationships(of entity: Entity) -> [Markup] {
        ModelOutline.ownRelationships(entity).map { relationship in
            let rule = TypeText.text(relationship.relationship.deleteRule)
            let arrow = relationship.isToOne ? "→" : "⇉"
            return """
                <span class="chip \(rule == "no action" ? "none" : rule)" title="\(rule)"><bdi>\(relationship.name)</bdi> \
                \(arrow) <bdi>\(relationship.relationship.destinationName)</bdi></span>
                """
        }
    }
}
