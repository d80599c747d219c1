import ObjectGraph

/// One entity as a box with its name, its own attributes and its own relationships.
struct DiagramBox {
    let entityIndex: Int
    let title: String
    let subtitle: String?
    let rows: [Row]
    let width: Double

    struct Row {
        enum Kind {
            case attribute, relationship(DeleteRule), more
        }

        let name: String
        let detail: String
        let kind: Kind
        /// The index in `Entity.relationships`.
        let relationshipIndex: Int?
    }

    static let headHeight = 34.0
    static let subtitleHeight = 14.0
    static let rowHeight = 21.0
    static let padding = 12.0
    static let titleSize = 14.0
    static let textSize = 12.0
    private static let mostAttributes = 14
    private static let widest = 320.0
    private static let narrowest = 150.0

    var height: Double { headSpace + Double(rows.count) * Self.rowHeight + (rows.isEmpty ? 0 : Self.padding) }

    /// The distance from the top of the box to its first row.
    var headSpace: Double { Self.headHeight + (subtitle == nil ? 0 : Self.subtitleHeight) + (rows.isEmpty ? 0 : 6) }

    init(_ entity: Entity, _ model: Model) {
        entityIndex = entity.index
        title = entity.name
        let inherits = entity.superentityIndex.map { "kind of \(model[$0].name)" }
        let parts = [entity.isAbstract ? "abstract" : nil, inherits].compactMap { $0 }
        subtitle = parts.isEmpty ? nil : parts.joined(separator: ", ")
        let rows = Self.attributeRows(entity) + Self.relationshipRows(entity, model)
        self.rows = rows
        let widths = rows.map {
            DiagramText.width($0.name, size: Self.textSize, isBold: $0.relationshipIndex != nil)
                + DiagramText.width($0.detail, size: Self.textSize) + 22
        }
        let titleWidth = DiagramText.width(entity.name, size: Self.titleSize, isBold: true)
        let subtitleWidth = DiagramText.width(subtitle ?? "", size: 11)
        let needed = ([titleWidth, subtitleWidth] + widths).max() ?? 0
        width = min(Self.widest, max(Self.narrowest, needed + 2 * Self.padding)).rounded(.up)
    }

    private static func attributeRows(_ entity: Entity) -> [Row] {
        let own = entity.attributes.filter { $0.declaringIndex == entity.index }
        let unique = Set(entity.uniquenessConstraints.filter { $0.count == 1 }.flatMap { $0 })
        let shown = own.count > mostAttributes + 1 ? own.prefix(mostAttributes) : own[...]
        var rows = shown.map { attribute in
            let mark = unique.contains(attribute.name) ? " #" : ""
            return Row(
                name: attribute.name + mark, detail: typeName(attribute.attribute), kind: .attribute,
                relationshipIndex: nil)
        }
        if shown.count < own.count {
            rows.append(
                Row(name: "… and \(own.count - shown.count) more", detail: "", kind: .more, relationshipIndex: nil))
        }
        return rows
    }

    private static func typeName(_ attribute: Attribute) -> String {
        let name: String =
            switch attribute.type {
            case .composite: attribute.isEnum ? "enum" : "struct"
            case .transformable: "Transformable"
            case .integer64: "Int"
            default: SwiftTypeName.plain(attribute)
            }
        return attribute.isOptional ? name + "?" : name
    }

    private static func relationshipRows(_ entity: Entity, _ model: Model) -> [Row] {
        entity.relationships.filter { $0.declaringIndex == entity.index && !$0.relationship.isTransient }.map { found in
            let relationship = found.relationship
            let name =
                relationship.cardinality == .toMany ? "[\(relationship.destinationName)]" : relationship.destinationName
            return Row(
                name: relationship.name, detail: relationship.isOptional && found.isToOne ? name + "?" : name,
                kind: .relationship(relationship.deleteRule), relationshipIndex: found.index)
        }
    }

    /// The middle of a relationship's row, from the top of the box; the middle of the header if it has no row.
    func anchor(_ relationshipIndex: Int?) -> Double {
        guard let relationshipIndex, let place = rows.firstIndex(where: { $0.relationshipIndex == relationshipIndex })
        else {
            return Self.headHeight / 2
        }
        return headSpace + (Double(place) + 0.5) * Self.rowHeight
    }
}
