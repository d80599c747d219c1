import ObjectGraph
import StoreInspection

/// Completions of a filter: properties, also through to-one relationships, and operators.
struct FilterCompletions: Sendable {
    let properties: [Property]

    struct Property: Sendable {
        /// The key path as predicates spell it, such as `author.name`.
        let name: String
        /// The attribute's type, such as `String?`, or the relationship's destination.
        let type: String
        let isText: Bool
    }

    private static let textOperators = ["CONTAINS[cd]", "BEGINSWITH[cd]", "ENDSWITH[cd]", "LIKE[cd]", "MATCHES"]
    private static let operators = ["==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN"]
    private static let words = ["AND", "OR", "NOT", "ANY", "ALL", "NONE"]

    init(_ entity: Entity, _ model: Model) {
        var found = Self.leaves(of: entity, prefix: "")
        for relationship in entity.relationships where !relationship.relationship.isTransient {
            let destination = model.destination(of: relationship)
            let arrow = relationship.isToOne ? "→" : "⇉"
            found.append(Property(name: relationship.name, type: "\(arrow) \(destination.name)", isText: false))
            if relationship.isToOne { found += Self.leaves(of: destination, prefix: relationship.name + ".") }
        }
        properties = found
    }

    private static func leaves(of entity: Entity, prefix: String) -> [Property] {
        entity.attributes.flatMap { attribute -> [Property] in
            guard !attribute.attribute.isTransient else { return [] }
            guard attribute.attribute.type == .composite else {
                let isText = attribute.attribute.type == .string
                return [
                    Property(name: prefix + attribute.name, type: TypeText.text(attribute.attribute), isText: isText)
                ]
            }
            return attribute.attribute.leaves.map { leaf in
                let name = leaf.name == attribute.name ? leaf.name : "\(attribute.name).\(leaf.name)"
                return Property(name: prefix + name, type: TypeText.text(leaf), isText: leaf.type == .string)
            }
        }
    }

    /// The completions for the page's script.
    var value: InspectedValue {
        .fields([
            InspectedField(
                "properties",
                .list(
                    properties.map {
                        .fields([
                            InspectedField("name", .text($0.name)), InspectedField("type", .text($0.type)),
                            InspectedField("text", .boolean($0.isText)),
                        ])
                    })),
            InspectedField("textOperators", .texts(Self.textOperators)),
            InspectedField("operators", .texts(Self.operators)), InspectedField("words", .texts(Self.words)),
        ])
    }

    /// Help that does not need the script.
    var help: Markup {
        let items: [Markup] = properties.map {
            "<li><code><bdi>\($0.name)</bdi></code> <span class=\"type\">\($0.type)</span></li>"
        }
        return """
            <details class="help"><summary>What can be typed</summary>
            <p>Words are searched for in all texts, numbers, dates and identifiers of a row. A predicate compares properties: \
            <code>name BEGINSWITH[cd] 'a' AND count &gt; 3</code>. Operators: \
            <code>\((Self.operators + Self.textOperators + Self.words).joined(separator: " "))</code></p>
            <ul>\(items)</ul></details>
            """
    }
}
