import Testing

@testable import ObjectGraph
@testable import SQLiteStore

/// Owners with pets, in a store that records its statements.
struct PetShop {
    let model: Model
    let store: SQLiteStore
    let face = TestFace()
    private let statements = Locked<[String]>([])

    /// - Parameter petCount: Pets aged 0, 1, 2 …, in turns of three owners.
    init(petCount: Int) throws {
        var owner = EntityDescription("Owner")
        owner.attributes = [Attribute("name", .string, optional: true)]
        owner.relationships = [Relationship("pets", to: "Pet", .toMany, inverse: "owner")]
        var pet = EntityDescription("Pet")
        pet.attributes = [
            Attribute("name", .string, optional: true), Attribute("age", .integer64, optional: true),
            Attribute("note", .string, optional: true),
        ]
        pet.relationships = [Relationship("owner", to: "Owner", .toOne, inverse: "pets")]
        model = try Model([owner, pet])
        var options = SQLiteStore.Options()
        let statements = statements
        options.onStatement = { sql in statements.withLock { $0.append(sql) } }
        store = try SQLiteStore(model: model, location: .memory, options: options)
        try fill(petCount)
    }

    private func fill(_ petCount: Int) throws {
        let graph = graph()
        let owners = try ["Ada", "Ben", "Cem"].map { try add("Owner", ["name": .text($0)], to: graph) }
        for age in 0..<petCount {
            let pet = try add("Pet", ["name": .text("pet \(age)"), "age": .integer(Int64(age))], to: graph)
            graph.setDestination(of: pet, try relationship("owner", of: "Pet"), to: owners[age % owners.count])
        }
        try graph.save()
    }

    func graph() -> Graph { Graph(model: model, store: store, face: face) }

    @discardableResult
    func add(_ entityName: String, _ values: [String: Value], to graph: Graph) throws -> Record {
        let entity = try entity(entityName)
        let member = newMember(entity)
        for (name, value) in values { member.record.initializeValue(value, at: try slot(name, of: entityName)) }
        graph.insert(member)
        return member.record
    }

    // MARK: Names

    func entity(_ name: String) throws -> Entity { try #require(model.entity(named: name)) }

    func relationship(_ name: String, of entityName: String) throws -> EntityRelationship {
        try #require(try entity(entityName).relationship(named: name))
    }

    func slot(_ name: String, of entityName: String) throws -> Int {
        try #require(try entity(entityName).attribute(named: name)?.slots.first)
    }

    func attribute(_ name: String, of base: QueryExpression = .variable(.root), in entityName: String = "Pet") throws
        -> QueryExpression
    {
        .attribute(
            base,
            AttributeReference(
                entityIndex: try entity(entityName).index, slot: try slot(name, of: entityName), path: name))
    }

    func owner() throws -> QueryExpression {
        let relationship = try relationship("owner", of: "Pet")
        return .toOne(
            .variable(.root),
            RelationshipReference(
                entityIndex: try entity("Pet").index, index: relationship.index, name: relationship.name))
    }

    func pets() throws -> QueryCollection {
        let relationship = try relationship("pets", of: "Owner")
        return .toMany(
            .variable(.root),
            RelationshipReference(
                entityIndex: try entity("Owner").index, index: relationship.index, name: relationship.name))
    }

    /// Pets of an age of at least this, by age.
    func pets(from age: Int = 0, limit: Int? = nil) throws -> Query {
        var query = Query(entityIndex: try entity("Pet").index)
        query.predicate = .compare(.greaterOrEqual, try attribute("age"), .literal(.integer(Int64(age))))
        query.sort = [SortKey(try attribute("age"))]
        query.limit = limit
        return query
    }

    // MARK: Statements

    /// Renames a table, so that reading it fails.
    func rename(_ table: String, to name: String) throws {
        try store.pool.withWriter { try $0.execute("ALTER TABLE \(table) RENAME TO \(name)") }
    }

    /// Runs a block and returns the queries that it made.
    func queries(_ body: () throws -> Void) rethrows -> [String] {
        statements.withLock { $0 = [] }
        try body()
        return statements.withLock { $0.filter { $0.hasPrefix("SELECT") } }
    }
}
