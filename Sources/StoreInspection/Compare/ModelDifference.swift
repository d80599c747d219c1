import ObjectGraph

/// What differs between two models, line by line.
package struct ModelDifference: Sendable {
    package struct Line: Sendable, Hashable {
        /// `+` for what only the new one has, `-` for what only the old one has, `~` for what changed.
        package let sign: String
        package let text: String

        /// As differences of rows have it.
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

    /// What there is to say of an entity (by the empty name) and of each of its own properties.
    private static func traits(_ entity: Entity, _ model: Model) -> [String: String] {
        var traits: [String: String] = [:]
        var own = entity.superentityIndex.map { "inherits from \(model[$0].name)" } ?? "root"
        if entity.isAbstract { own += ", abstract" }
        for constraint in entity.uniquenessConstraints { own += ", unique \(constraint.joined(separator: "+"))" }
        traits[""] = own
        for attribute in ModelOutline.ownAttributes(entity) {
            let elements = attribute.attribute.leaves.map { "\($0.name) \(TypeText.text($0))" }.joined(separator: ", ")
            let leaves = attribute.attribute.type == .composite ? " (\(elements))" : ""
            let remarks = TypeText.remarks(attribute.attribute).map { ", " + $0 }.joined()
            traits[attribute.name] = TypeText.text(attribute.attribute) + leaves + remarks
        }
        for relationship in ModelOutline.ownRelationships(entity) {
            let rule = relationship.relationship
            traits[relationship.name] =
                "\(TypeText.cardinality(rule)) \(rule.destinationName)\(rule.isOptional ? "" : ", must have one"), "
                + "\(TypeText.text(rule.deleteRule)), \(rule.inverseName.map { "inverse \($0)" } ?? "no inverse")"
        }
        return traits
    }
}
