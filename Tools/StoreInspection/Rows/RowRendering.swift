import Foundation
import ObjectGraph
import SQLiteStore
import StoreSQL

/// Converts rows into values for display or export.
package struct RowRendering: Sendable {
    package enum Style: Sendable {
        /// For readers: dates without a time zone, bytes decoded where possible.
        case people
        /// Lossless: dates in full, bytes as base64, decimals as text.
        case exact
    }

    package let model: Model
    package let style: Style
    private var unreadable: UnreadableCells?

    /// Names of fields that are no properties; no property name begins with this character.
    package static let idField = "$id"
    package static let entityField = "$entity"

    package init(_ model: Model, _ style: Style) {
        self.model = model
        self.style = style
    }

    /// A copy that marks each unreadable value.
    package func marking(_ reading: StoreReading) -> RowRendering {
        var rendering = self
        rendering.unreadable = reading.unreadable
        return rendering
    }

    /// - Returns: `nil` if the model does not have the entity.
    package func entity(of id: ObjectID) -> Entity? { model.entity(named: id.entityName) }

    /// Object ID, attributes and to-one relationships, in the order of the model.
    package func fields(of row: Snapshot) -> [InspectedField] {
        guard let entity = entity(of: row.id) else { return [] }
        var fields = [InspectedField(Self.idField, .text(row.id.address))]
        for attribute in entity.attributes where !attribute.attribute.isTransient {
            fields.append(InspectedField(attribute.name, value(of: attribute, in: row)))
        }
        for relationship in entity.toOneRelationships where !relationship.relationship.isTransient {
            fields.append(InspectedField(relationship.name, reference(relationship, in: row)))
        }
        return fields
    }

    /// Whether the entity has an attribute, or a part of a composite (`author.person`), with this name.
    static func hasValue(_ name: String, of entity: Entity) -> Bool { part(name, of: entity) != nil }

    private static func part(_ name: String, of entity: Entity) -> (attribute: Attribute, slot: Int)? {
        if let attribute = entity.attribute(named: name) { return (attribute.attribute, attribute.slots.lowerBound) }
        var path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        guard let whole = path.popFirst().flatMap({ entity.attribute(named: $0) }) else { return nil }
        var (attribute, slot) = (whole.attribute, whole.slots.lowerBound)
        for step in path {
            guard let place = attribute.elements.firstIndex(where: { $0.name == step }) else { return nil }
            slot += attribute.elements[..<place].reduce(0) { $0 + $1.leaves.count }
            attribute = attribute.elements[place]
        }
        return (attribute, slot)
    }

    /// Returns the value with a name; `nil` for a name without a value in the row, such as a to-many relationship.
    package func value(_ name: String, of row: Snapshot) -> InspectedValue? {
        if name == Self.idField { return .text(row.id.address) }
        guard let entity = entity(of: row.id) else { return nil }
        if let (attribute, slot) = Self.part(name, of: entity) { return value(of: attribute, from: slot, in: row) }
        guard let relationship = entity.relationship(named: name), relationship.isToOne else { return nil }
        return reference(relationship, in: row)
    }

    package func reference(_ relationship: EntityRelationship, in row: Snapshot) -> InspectedValue {
        guard let slot = relationship.slot, row.values.indices.contains(slot),
            case .reference(let id) = row.values[slot]
        else { return relationship.slot.flatMap { mark(at: $0, in: row) } ?? .none }
        return .text(id.address)
    }

    private func mark(at slot: Int, in row: Snapshot) -> InspectedValue? {
        unreadable?.show(row.id, slot: slot).map(InspectedValue.lost)
    }

    // MARK: Attributes

    package func value(of attribute: EntityAttribute, in row: Snapshot) -> InspectedValue {
        value(of: attribute.attribute, from: attribute.slots.lowerBound, in: row)
    }

    private func value(of attribute: Attribute, from slot: Int, in row: Snapshot) -> InspectedValue {
        let slots = slot..<slot + attribute.leaves.count
        let values = slots.map { slot -> LeafValue in
            let value = row.values.indices.contains(slot) ? row.values[slot] : .null
            return LeafValue(value: value, mark: value.isNull ? mark(at: slot, in: row) : nil)
        }
        guard attribute.type == .composite else { return values.first.map { self.value($0, attribute) } ?? .none }
        if values.allSatisfy(\.isNil) { return .none }
        var rest = values[...]
        return composite(attribute, &rest)
    }

    private struct LeafValue {
        let value: Value
        /// The mark shown for an unreadable value.
        let mark: InspectedValue?

        var isNil: Bool { value.isNull && mark == nil }
    }

    private func value(_ leaf: LeafValue, _ attribute: Attribute) -> InspectedValue {
        leaf.mark ?? value(leaf.value, attribute)
    }

    /// An enum is shown as its raw value or its case. It has one leaf of its own name, or one for each case.
    private func composite(_ attribute: Attribute, _ values: inout ArraySlice<LeafValue>) -> InspectedValue {
        var fields: [InspectedField] = []
        for element in attribute.elements {
            if element.type == .composite {
                fields.append(InspectedField(element.name, composite(element, &values)))
            } else {
                fields.append(InspectedField(element.name, values.popFirst().map { value($0, element) } ?? .none))
            }
        }
        if fields.count == 1, let only = fields.first, only.name == attribute.name { return only.value }
        guard style == .people else { return .fields(fields) }
        let present = fields.filter { !$0.value.isNone }
        if present.count == 1, let chosen = present.first, chosen.value == .text(chosen.name) { return chosen.value }
        return .fields(present)
    }

    /// - Parameter leaf: determines how the value is read.
    package func value(_ value: Value, _ leaf: Attribute) -> InspectedValue {
        switch value {
        case .null: .none
        case .integer(let number): leaf.type == .boolean ? .boolean(number != 0) : .integer(number)
        case .real(let number): leaf.type == .date ? date(number) : .real(number)
        case .text(let text): .text(text)
        case .bytes(let data): style == .people ? BytesText.readable(data) : .text(data.base64EncodedString())
        case .uuid(let uuid): .text(uuid.uuidString)
        case .decimal(let number): .text(ColumnCodec.text(of: number))
        case .reference(let id): .text(id.address)
        }
    }

    private func date(_ seconds: Double) -> InspectedValue {
        switch style {
        case .people: .text(DateText.readable(seconds))
        case .exact: DateText.lossless(seconds).map(InspectedValue.text) ?? .real(seconds)
        }
    }
}
