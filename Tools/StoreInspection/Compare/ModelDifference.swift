import ObjectGraph

/// The differences between two models, line by line.
package struct ModelDifference: Sendable {
    package struct Line: Sendable, Hashable {
        /// `+` for additions, `-` for removals, `~` for changes.
        package let sign: String
        package let text: String

        /// The kind of change, named as in differences of rows.
        package var change: String { sign == "+" ? "added" : sign == "-" ? "removed" : "changed" }
    }

    package private(set) var lines: [Line] = []

    package init(_ old: Model, _ new: Model) {
        let names = Set(old.entities.map(\.name)).union(new.entities.map(\.name)).sorted()
        for name in names {
            switch (old.entity(named: name), new.entity(named: name)) {
            case (let left?, let right?): compare(left, right, old, new)
            case (nil, _?): lines.append(Line(sign: "+", text: "entity \(name)"))
            default: lines.append(Line(sign: "-", text: "entity \(name)"))
            }
        }
    }

    private mutating func compare(_ left: Entity, _ right: Entity, _ old: Model, _ new: Model) {
        compare(left.name, Self.traits(left, old), Self.traits(right, new))
    }

    private mutating func compare(_ entity: String, _ left: [String: String], _ right: [String: String]) {
        for name in Set(left.keys).union(right.keys).sorted() where left[name] != right[name] {
            let place = name.isEmpty ? entity : "\(entity).\(name)"
            switch (left[name], right[name]) {
            case (let was?, let now?): lines.append(Line(sign: "~", text: "\(place): \(was) → \(now)"))
            case (nil, let now?): lines.append(Line(sign: "+", text: "\(place): \(now)"))
            case (let was?, nil): lines.append(Line(sign: "-", text: "\(place): \(was)"))
            case (nil, nil): break
            }
        }
    }

    /// Descriptions of an entity, by the names of its own properties and indexes, and by the empty name for the entity
    /// itself.
    private static func traits(_ entity: Entity, _ model: Model) -> [String: String] {
        var traits: [String: String] = [:]
        var own = entity.superentityIndex.map { "inherits from \(model[$0].name)" } ?? "root"
        if entity.isAbstract { own += ", abstract" }
        for constraint in entity.uniquenessConstraints { own += ", unique \(constraint.joined(separator: "+"))" }
        traits[""] = own + modifier(entity.versionHashModifier)
        for attribute in ModelOutline.ownAttributes(entity) { traits[attribute.name] = text(attribute.attribute) }
        for relationship in ModelOutline.ownRelationships(entity) {
            traits[relationship.name] = text(relationship.relationship)
        }
        // No property can have such a name.
        for index in entity.indexes { traits["\(index.name) (index)"] = text(index) }
        return traits
    }

    private static func text(_ attribute: Attribute) -> String {
        let elements = attribute.leaves.map { "\($0.name) \(TypeText.text($0))" }.joined(separator: ", ")
        let leaves = attribute.type == .composite ? " (\(elements))" : ""
        let remarks = TypeText.remarks(attribute).map { ", " + $0 }.joined()
        return TypeText.text(attribute) + leaves + remarks + defaultText(attribute)
            + modifier(attribute.versionHashModifier)
    }

    private static func defaultText(_ attribute: Attribute) -> String {
        guard let values = attribute.defaultValue, !values.allSatisfy(\.isNull) else { return "" }
        let texts = zip(attribute.leaves, values).map { ModelOutline.defaultValue($1, $0).json() }
        return ", default \(texts.joined(separator: ", "))"
    }

    private static func text(_ relationship: Relationship) -> String {
        "\(TypeText.cardinality(relationship)) \(relationship.destinationName)"
            + (relationship.isOptional ? ", " : ", must have one, ") + TypeText.text(relationship.deleteRule)
            + (relationship.inverseName.map { ", inverse \($0)" } ?? ", no inverse")
            + modifier(relationship.versionHashModifier)
    }

    private static func text(_ index: FetchIndex) -> String {
        let properties = index.elements.map { $0.propertyName + ($0.isAscending ? "" : " descending") }
        return properties.joined(separator: ", ") + (index.condition.map { " where \($0)" } ?? "")
    }

    private static func modifier(_ text: String?) -> String { text.map { ", hash modifier '\($0)'" } ?? "" }
}
