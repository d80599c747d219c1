import ObjectGraph

/// Translates expressions to SQL for one statement: names tables, shares joins, numbers aliases.
///
/// Rules
/// 1. A test in *filter* position may be NULL, which counts as false. A *strict* test is 1 or 0: under `not`, inside
///    `all`, and where a value is wanted.
/// 2. To-one chains become LEFT JOINs, made once per chain and only when a column beyond the key is read. The key itself
///    is read from the row that has it, so that its index is used.
/// 3. Collections become correlated subqueries.
package struct ExpressionSQL {
    package let map: StorageMap
    package let spaces: EntitySpaces
    package let dialect: any Dialect
    private var scopes: [Scope] = []
    private var variables: [QueryVariable: ObjectSQL] = [:]
    private var scopeOfAlias: [String: Int] = [:]
    private var joinedAliases: [Join: String] = [:]
    private var aliasCount = 0

    package var model: Model { map.model }

    package init(map: StorageMap, spaces: EntitySpaces, dialect: any Dialect) {
        self.map = map
        self.spaces = spaces
        self.dialect = dialect
    }

    /// The tables of one SELECT.
    private struct Scope {
        var from: SQLText
        var joins = SQLText()
    }

    private struct Join: Hashable {
        let key: SQLText
        let table: String
    }

    // MARK: Scopes

    package mutating func newAlias() -> String {
        defer { aliasCount += 1 }
        return "t\(aliasCount)"
    }

    package mutating func openScope(from: SQLText, aliases: [String]) {
        scopes.append(Scope(from: from))
        for alias in aliases { scopeOfAlias[alias] = scopes.count - 1 }
    }

    /// Adds a table to the innermost SELECT.
    /// - Returns: The condition for the rows if the table is the first one, which is not joined.
    mutating func add(_ table: SQLText, _ condition: SQLText, alias: String) -> SQLText? {
        guard let level = scopes.indices.last, scopes[level].from.isEmpty else {
            join(table, on: condition, aliases: [alias])
            return nil
        }
        scopes[level].from = table
        scopeOfAlias[alias] = level
        return condition
    }

    /// Joins one more table to the innermost SELECT.
    mutating func join(_ table: SQLText, on condition: SQLText, aliases: [String]) {
        guard let level = scopes.indices.last else { return }
        scopes[level].joins += " JOIN \(table) ON \(condition)"
        for alias in aliases { scopeOfAlias[alias] = level }
    }

    /// Returns the tables and joins of the innermost SELECT, when all its expressions are translated.
    package mutating func closeScope() -> SQLText {
        guard let scope = scopes.popLast() else { return SQLText() }
        let level = scopes.count
        joinedAliases = joinedAliases.filter { scopeOfAlias[$0.value] != level }
        scopeOfAlias = scopeOfAlias.filter { $0.value != level }
        return scope.from + scope.joins
    }

    package mutating func bind(_ variable: QueryVariable, to object: ObjectSQL) { variables[variable] = object }

    // MARK: Names

    func table(of entityIndex: Int) -> String { dialect.name(map.entities[entityIndex].table) }

    /// The column of a row with an alias.
    func cell(_ alias: String, _ column: String) -> SQLText { "\(alias).\(dialect.name(column))" }

    // MARK: Objects

    /// An object: a row with an alias, or a key whose row may have to be joined first.
    package struct ObjectSQL {
        var entityIndex: Int
        /// The entity before any cast.
        let declaredIndex: Int
        var key: SQLText
        /// The entity number, if it can be read without a join.
        var number: SQLText?
        /// `nil` until the object's own row is needed.
        var alias: String?
        /// The alias of the row that has the key.
        var holder: String
        var isOptional: Bool
        /// Whether the key's row exists; `nil` if a key cannot outlive its row.
        var exists: SQLText?
        /// The entities of casts. Rows of other entities count as no object.
        var castIndexes: [Int] = []
    }

    package func object(entityIndex: Int, alias: String) -> ObjectSQL {
        ObjectSQL(
            entityIndex: entityIndex, declaredIndex: entityIndex, key: "\(alias).\(SystemTables.keyColumn)",
            number: "\(alias).\(SystemTables.entityColumn)", alias: alias, holder: alias, isOptional: false)
    }

    mutating func object(_ expression: QueryExpression) throws -> ObjectSQL {
        switch expression {
        case .variable(let variable):
            guard let object = variables[variable] else {
                throw UntranslatableExpression("a variable that nothing binds")
            }
            return object
        case .cast(let base, let entityIndex):
            return narrowed(try object(base), to: entityIndex)
        case .toOne(let base, let reference):
            return try destination(of: reference, from: try object(base))
        case .member(let collection, let place):
            return try member(of: collection, at: place)
        default:
            throw UntranslatableExpression("\(expression.kindName) where an object is expected")
        }
    }

    /// The object if it is of the entity, otherwise none.
    func narrowed(_ object: ObjectSQL, to entityIndex: Int) -> ObjectSQL {
        guard !model.isKind(object.entityIndex, of: entityIndex) else { return object }
        var object = object
        object.castIndexes.append(entityIndex)
        if model.isKind(entityIndex, of: object.entityIndex) { object.entityIndex = entityIndex }
        return object
    }

    private mutating func destination(
        of reference: RelationshipReference, from base: ObjectSQL
    ) throws -> ObjectSQL {
        guard let relationship = model.entity(at: reference.entityIndex)?.relationships.element(reference.index),
            let column = relationship.slot.flatMap({ map.entities.element(reference.entityIndex)?.columns.element($0) })
                ?? nil
        else { throw UntranslatableExpression("the relationship '\(reference.name)', which has no key column") }
        let base = narrowed(base, to: reference.entityIndex)
        let alias = try row(of: base)
        let guards = try self.guards(of: base, declaringIndex: relationship.declaringIndex)
        let key = guarded(cell(alias, column.name), by: guards)
        return ObjectSQL(
            entityIndex: relationship.destinationIndex, declaredIndex: relationship.destinationIndex, key: key,
            number: column.entityNumberColumn.map { guarded(cell(alias, $0), by: guards) }, alias: nil, holder: alias,
            isOptional: true, exists: existence(of: key, along: relationship))
    }

    /// Tests whether the key's row exists; `nil` if deleting the row always clears the key. A relationship without inverse,
    /// or with an inverse whose rule is `noAction`, keeps its key when the destination is deleted. Such a key counts as nil.
    private func existence(of key: SQLText, along relationship: EntityRelationship) -> SQLText? {
        if !relationship.keepsDeletedDestinations { return nil }
        let table = table(of: relationship.destinationIndex)
        return "EXISTS (SELECT 1 FROM \(table) e WHERE e.\(SystemTables.keyColumn) = \(key))"
    }

    /// Returns the alias of the object's own row, which is joined if needed.
    mutating func row(of object: ObjectSQL) throws -> String {
        if let alias = object.alias { return alias }
        guard model.has(object.entityIndex) else { throw UntranslatableExpression("an entity of another store") }
        let table = table(of: object.entityIndex)
        let join = Join(key: object.key, table: table)
        if let alias = joinedAliases[join] { return alias }
        let alias = newAlias()
        guard let level = scopeOfAlias[object.holder], scopes.indices.contains(level) else {
            throw UntranslatableExpression("an object outside its collection")
        }
        scopes[level].joins += " LEFT JOIN \(table) \(alias) ON \(alias).\(SystemTables.keyColumn) = \(object.key)"
        scopeOfAlias[alias] = level
        joinedAliases[join] = alias
        return alias
    }

    /// The conditions that a cast object must fulfil before a property is read. A property declared below the cast's
    /// entity needs none, because its column is empty in other rows.
    func guards(of object: ObjectSQL, declaringIndex: Int?) throws -> [SQLText] {
        try object.castIndexes.compactMap { castIndex in
            if let declaringIndex, model.isKind(declaringIndex, of: castIndex) { return nil }
            return try kindTest(object, castIndex)
        }
    }

    func guarded(_ sql: SQLText, by guards: [SQLText]) -> SQLText {
        guards.isEmpty ? sql : "CASE WHEN \(guards.joined(separator: " AND ")) THEN \(sql) END"
    }

    /// The object's key; NULL if a cast fails.
    func key(of object: ObjectSQL) throws -> ValueSQL {
        let guards = try self.guards(of: object, declaringIndex: nil)
        var key = ValueSQL(
            guarded(object.key, by: guards + [object.exists].compactMap { $0 }),
            .key(rootIndex: model[object.entityIndex].rootIndex), nullable: object.isOptional || !guards.isEmpty)
        key.storedKey = object.exists.map { .init(sql: guarded(object.key, by: guards), exists: $0) }
        return key
    }

    /// The value to sort or group by: of an object the key of its row, so that a reference to a missing row counts as nil
    /// whatever the delete rules say.
    mutating func sortOrGroupValue(_ expression: QueryExpression) throws -> ValueSQL {
        var value = try value(expression)
        guard value.kind.isKey, value.storedKey == nil, let object = try? object(expression.identified),
            object.isOptional,
            // Rows of another store cannot be joined.
            let alias = try? row(of: object)
        else { return value }
        value.sql = guarded("\(alias).\(SystemTables.keyColumn)", by: try guards(of: object, declaringIndex: nil))
        return value
    }

    /// Whether the object's row is of an entity or one of its subentities; may be NULL for a missing object.
    func kindTest(_ object: ObjectSQL, _ entityIndex: Int) throws -> SQLText {
        let declared = object.declaredIndex
        if model.isKind(declared, of: entityIndex) {
            return object.exists ?? (object.isOptional ? "\(object.key) IS NOT NULL" : dialect.constant(true))
        }
        guard model[declared].familyIndexes.contains(where: { model.isKind($0, of: entityIndex) }) else {
            return dialect.constant(false)
        }
        guard let number = object.number else {
            throw UntranslatableExpression("the kind of an object without an entity number")
        }
        let test = Self.numberTest(number, map.entities.element(entityIndex)?.familyNumbers ?? [])
        return object.exists.map { "(\(test) AND \($0))" } ?? test
    }

    static func numberTest(_ number: SQLText, _ numbers: [Int]) -> SQLText {
        if numbers.count == 1, let only = numbers.first { return "\(number) = \(only)" }
        return "\(number) IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }
}

extension QueryExpression {
    /// The object that this is the identity of, or the expression itself.
    var identified: QueryExpression {
        if case .identity(let object) = self { object } else { self }
    }
}
