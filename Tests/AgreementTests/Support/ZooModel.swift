import ObjectGraph

/// A model with every attribute type, inheritance, and a relationship of each shape.
enum ZooModel {
    static func make() throws -> Model { try Model([thing, animal, bird, machine, person, tag, note]) }

    private static func entity(
        _ name: String, superentity: String? = nil, _ attributes: [Attribute], _ relationships: [Relationship] = []
    ) -> EntityDescription {
        var description = EntityDescription(name, superentity: superentity)
        description.attributes = attributes
        description.relationships = relationships
        return description
    }

    private static func optional(_ name: String, _ type: AttributeType) -> Attribute {
        Attribute(name, type, optional: true)
    }

    private static let thing: EntityDescription = {
        var place = optional("place", .composite)
        place.elements = [optional("city", .string), optional("height", .double)]
        let kinds: [(String, AttributeType)] = [
            ("small", .integer16), ("medium", .integer32), ("large", .integer64), ("price", .decimal),
            ("ratio", .double), ("share", .float), ("title", .string), ("nick", .string), ("flag", .boolean),
            ("moment", .date), ("blob", .binary), ("token", .uuid), ("link", .uri), ("list", .transformable),
        ]
        return entity(
            "Thing", kinds.map { optional($0, $1) } + [place],
            [
                Relationship("boss", to: "Thing", .toOne),
                Relationship("tags", to: "Tag", .toMany, inverse: "things"),
                Relationship("friends", to: "Thing", .toMany, inverse: "friends"),
                Relationship("notes", to: "Note", .toMany),
                Relationship("parent", to: "Thing", .toOne, inverse: "children"),
                Relationship("children", to: "Thing", .toMany, inverse: "parent"),
                Relationship("waitsFor", to: "Person", .toOne, inverse: "queue"),
                Relationship("rankedBy", to: "Person", .toMany, inverse: "ranking"),
            ])
    }()

    private static let animal = entity(
        "Animal", superentity: "Thing", [optional("legs", .integer64), optional("sound", .string)],
        [Relationship("owner", to: "Person", .toOne, inverse: "animals")])

    private static let bird = entity(
        "Bird", superentity: "Animal", [optional("wings", .integer16)],
        [Relationship("rider", to: "Person", .toOne, inverse: "birds")])

    private static let machine = entity("Machine", superentity: "Thing", [optional("power", .double)])

    private static let person = entity(
        "Person", [optional("name", .string), optional("age", .integer64), optional("born", .date)],
        [
            Relationship("animals", to: "Animal", .toMany, inverse: "owner"),
            Relationship("birds", to: "Bird", .toMany, inverse: "rider"),
            Relationship("partner", to: "Person", .toOne, inverse: "partner"),
            Relationship("favourite", to: "Thing", .toOne),
            ordered(Relationship("queue", to: "Thing", .toMany, inverse: "waitsFor")),
            ordered(Relationship("ranking", to: "Thing", .toMany, inverse: "rankedBy")),
        ])

    private static func ordered(_ relationship: Relationship) -> Relationship {
        var ordered = relationship
        ordered.isOrdered = true
        return ordered
    }

    private static let tag = entity(
        "Tag", [optional("label", .string), optional("weight", .double)],
        [Relationship("things", to: "Thing", .toMany, inverse: "tags")])

    private static let note = entity("Note", [optional("text", .string), optional("stars", .integer32)])
}
