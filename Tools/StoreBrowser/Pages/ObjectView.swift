import ObjectGraph
import SQLiteStore
import StoreInspection

/// One object: its values, and its links in both directions.
struct ObjectView: View {
    let title: String
    let place: Place
    private let detail: ObjectDetail
    private let entity: Entity
    private let model: Model
    private let incoming: [Incoming]
    private let hasHistory: Bool
    private let mayWrite: Bool
    /// Names of attributes that can be edited as text.
    private let editable: Set<String>

    /// A relationship to this object that has no inverse.
    private struct Incoming: Sendable {
        let name: RelationshipName
        let count: Int
    }

    /// - Parameter style: the form of the values; JSON has exact ones.
    /// - Throws: `InspectionError.noRow`, and errors of reading.
    init(
        _ id: ObjectID, _ store: SQLiteStore, _ reading: StoreReading, style: RowRendering.Style, hasHistory: Bool,
        mayWrite: Bool
    ) throws {
        self.hasHistory = hasHistory
        self.mayWrite = mayWrite
        model = store.model
        detail = try ObjectDetail(id, reading, in: store.model, style: style)
        let entity = try store.model.inspectedEntity(detail.id.entityName)
        self.entity = entity
        place = .rows(entity.name)
        title = detail.label ?? detail.id.address
        editable = Set(
            EditableLeaf.all(of: entity).filter { ![.binary, .transformable].contains($0.leaf.type) }.map(
                \.attribute.name))
        incoming = try Self.incoming(detail.id, entity, store.model, reading)
    }

    private static func incoming(
        _ id: ObjectID, _ entity: Entity, _ model: Model, _ reading: StoreReading
    ) throws -> [Incoming] {
        var found: [Incoming] = []
        for other in model.entities {
            for relationship in ModelOutline.ownRelationships(other)
            where relationship.inverseIndex == nil && !relationship.relationship.isTransient
                && model.isKind(entity.index, of: relationship.destinationIndex)
            {
                let test = RowsParameters.test(that: relationship, leadsTo: id, other)
                let count = try reading.count(Query(entityIndex: other.index, predicate: test))
                let name = RelationshipName(entity: other.name, relationship: relationship.name)
                if count > 0 { found.append(Incoming(name: name, count: count)) }
            }
        }
        return found
    }

    // MARK: JSON

    var value: InspectedValue {
        let attributes = detail.attributes.map { InspectedField($0.name, $0.value) }
        let links = detail.relationships.map { link in
            InspectedField(
                link.relationship.name,
                .fields([
                    InspectedField("count", .count(link.count)),
                    InspectedField("deleteRule", .text(TypeText.text(link.relationship.deleteRule))),
                    InspectedField("first", .texts(link.members.map(\.id.address))),
                ]))
        }
        return .fields([
            InspectedField("object", .text(detail.id.address)), InspectedField("uri", .text(detail.id.uriText)),
            InspectedField("version", .integer(detail.version)), InspectedField("attributes", .fields(attributes)),
            InspectedField("relationships", .fields(links)),
            InspectedField(
                "incoming",
                .list(
                    incoming.map {
                        .fields([
                            InspectedField("relationship", .text($0.name.description)),
                            InspectedField("count", .count($0.count)),
                        ])
                    })),
        ])
    }

    // MARK: HTML

    func body(_ addresses: Addresses) -> Markup {
        """
        <nav class="crumbs" aria-label="Where this is"><a href="\(addresses.rows(entity.name))"><bdi>\(entity.name)</bdi></a>\
        <span>p\(detail.id.key)</span></nav>
        <div class="head"><h1><bdi>\(title)</bdi></h1><div class="buttons">
        \(hasHistory ? history(addresses) : nil)
        \(mayWrite ? "<a class=\"button\" href=\"\(addresses.edit(detail.id))\">Edit</a>" : nil)\
        <a class="button danger" href="\(addresses.plan([("object", detail.id.address)]))">Plan deleting it</a>
        </div></div>
        <div class="columns">
        <section><h2>Values</h2><dl class="values">\(detail.attributes.map { attribute($0, addresses) })</dl>
        <p class="dim small"><code>\(detail.id.uriText)</code><br>saved \(Amounts.count(Int(detail.version), "time"))</p>
        </section>
        <section><h2>Links</h2>\(detail.relationships.isEmpty ? "<p class=\"dim\">None.</p>" : "")
        \(detail.relationships.map { link($0, addresses) })\(incoming.map { self.incoming($0, addresses) })</section>
        </div>
        """
    }

    private func history(_ addresses: Addresses) -> Markup {
        "<a class=\"button\" href=\"\(addresses.history(before: nil, object: detail.id.address))\">History</a>"
    }

    private func attribute(_ property: ObjectDetail.Property, _ addresses: Addresses) -> Markup {
        let link = mayWrite && editable.contains(property.name) ? pencil(property.name, addresses) : nil
        return """
            <div><dt><bdi>\(property.name)</bdi> <span class="type">\(property.type)</span></dt>\
            <dd>\(Self.content(property.value))</dd>\(link)</div>
            """
    }

    /// Links to a form for one property; the page's script opens it in place.
    private func pencil(_ name: String, _ addresses: Addresses, _ element: Markup = "dd") -> Markup {
        """
        <\(element) class="edit-one"><a class="pencil" href="\(addresses.edit(detail.id, only: name))" data-in-place \
        aria-label="Edit \(name)" title="Edit">✎</a></\(element)>
        """
    }

    /// Shows each field of a value that has fields.
    private static func content(_ value: InspectedValue) -> Markup {
        guard let fields = value.fieldsValue, value.lostMark == nil else { return Parts.value(value) }
        let rows: [Markup] = fields.map {
            "<div><dt><bdi>\($0.name)</bdi></dt><dd>\(Parts.value($0.value))</dd></div>"
        }
        return "<dl class=\"inner\">\(rows)</dl>"
    }

    private func link(_ link: ObjectDetail.Link, _ addresses: Addresses) -> Markup {
        let relationship = link.relationship
        let members: [Markup] = link.members.map { member in
            "<li>\(Parts.object(member.id, label: member.label, exists: member.exists, addresses))</li>"
        }
        let isToOne = relationship.cardinality == .toOne
        let count: Markup = isToOne ? "" : "<span class=\"count\">\(Amounts.count(link.count))</span>"
        let rest: Markup =
            link.count > link.members.count
            ? "<li><a class=\"button small\" href=\"\(listing(relationship, addresses))\">All \(Amounts.count(link.count))</a></li>"
            : ""
        return """
            <div class="link"><h3><bdi>\(relationship.name)</bdi> <span class="dim">\(isToOne ? "→" : "⇉")</span> \
            <a href="\(addresses.rows(relationship.destinationName))"><bdi>\(relationship.destinationName)</bdi></a> \
            \(count)\(Parts.rule(relationship.deleteRule))</h3>
            <ul>\(members.isEmpty ? "<li class=\"nil\">\(isToOne ? "nil" : "none")</li>" : members.joined())\(rest)</ul>\
            \(mayWrite ? pencil(relationship.name, addresses, "div") : nil)</div>
            """
    }

    private func listing(_ relationship: Relationship, _ addresses: Addresses) -> String {
        let own = detail.id.address
        guard let inverse = relationship.inverseName else {
            return addresses.rows(relationship.destinationName, [("of", own), ("through", relationship.name)])
        }
        return addresses.rows(relationship.destinationName, [("leads", inverse), ("to", own)])
    }

    private func incoming(_ link: Incoming, _ addresses: Addresses) -> Markup {
        let address = addresses.rows(
            link.name.entity, [("leads", link.name.relationship), ("to", detail.id.address)])
        return """
            <div class="link"><h3><span class="dim">referenced by</span> <bdi>\(link.name.description)</bdi> \
            <span class="count">\(Amounts.count(link.count))</span></h3>
            <ul><li><a class="button small" href="\(address)">Show them</a></li></ul></div>
            """
    }
}
