import ObjectGraph
import SQLiteStore
import StoreInspection

/// The parameters of a listing of one entity, read from an address.
struct RowsParameters: Sendable {
    let entity: String
    /// Search words, or a predicate.
    var filter: String?
    /// Sort keys, such as `name,-age`.
    var sort: String?
    /// Counted from 1. The page is reached by offset unless there is a cursor.
    var page = 1
    /// Where the page begins or ends.
    var cursor: RowsCursor?
    var size = Self.usualSize
    /// A relationship of the rows; only rows that reference `target` with it are listed.
    var referencing: String?
    var target: String?
    /// An object whose relationship `through` references the listed rows.
    var owner: String?
    var through: String?
    /// Properties to show; empty for all that have a value of their own.
    var columns: [String] = []

    static let sizes = [20, 50, 100, 200, 500]
    static let usualSize = 50
    private static let mostAtOnce = 1000

    init(_ entity: String) { self.entity = entity }

    /// Names of the parameters that select rows.
    static let choosingNames = ["where", "leads", "to", "of", "through"]
    static let fieldNames = choosingNames + ["sort", "page", "size", "before", "after"]

    /// - Throws: `Problem` for a malformed number or cursor.
    init(_ entity: String, _ query: Fields) throws {
        self.entity = entity
        filter = query["where"]
        sort = query["sort"]
        page = Int(clamping: min(1_000_000_000, try query.number("page") ?? 1))
        size = Int(clamping: min(Int64(Self.mostAtOnce), try query.number("size") ?? Int64(Self.usualSize)))
        cursor = try RowsCursor(query)
        referencing = query["leads"]
        target = query["to"]
        owner = query["of"]
        through = query["through"]
        columns = query.all("column")
    }

    /// The parameters that select rows, without sort order and page.
    var choosing: [(String, String?)] {
        [("where", filter), ("leads", referencing), ("to", target), ("of", owner), ("through", through)]
    }

    func fields(sort: String?, page: Int, cursor: RowsCursor? = nil) -> [(String, String?)] {
        choosing + [
            ("sort", sort), ("page", page > 1 ? String(page) : nil),
            ("size", size == Self.usualSize ? nil : String(size)),
        ] + columnFields + [cursor?.field].compactMap { $0 }
    }

    var columnFields: [(String, String?)] { columns.map { ("column", $0) } }

    var isNarrowed: Bool { choosing.contains { $0.1 != nil } }

    // MARK: Query

    /// A query for all selected rows, unsorted.
    /// - Throws: `InspectionError`, `UnreadablePredicate`, `FormatTranslationError`.
    func query(_ store: SQLiteStore, _ reading: StoreReading) throws -> Query {
        // An incomplete condition must not be ignored: the selected rows may be deleted.
        guard (referencing == nil) == (target == nil), (owner == nil) == (through == nil) else {
            throw InspectionError.badInput(
                "An address has 'leads' together with 'to', and 'of' together with 'through'.")
        }
        let entity = try store.model.inspectedEntity(entity)
        var query = Query(entityIndex: entity.index)
        var tests = [try filter.map { try FilterText($0, on: entity).expression(on: entity, in: store) }].compactMap {
            $0
        }
        if let referencing, let target {
            let id = try Self.id(target, store, reading)
            tests.append(Self.test(that: try entity.inspectedRelationship(referencing), leadsTo: id, entity))
        }
        if let owner, let through { tests.append(try member(of: owner, through, store, reading)) }
        query.predicate = tests.count > 1 ? .and(tests) : tests.first
        return query
    }

    /// The object ID with the row's own entity, which may be a subentity of the named one.
    static func id(_ address: String, _ store: SQLiteStore, _ reading: StoreReading) throws -> ObjectID {
        let id = try ObjectAddress(address).id(in: store)
        guard let row = try reading.snapshots(of: [id]).first else { throw InspectionError.noRow(address) }
        return row.id
    }

    /// A number that no predicate uses for a variable.
    private static let variable = QueryVariable(1_000_000_000)

    static func test(that relationship: EntityRelationship, leadsTo id: ObjectID, _ entity: Entity) -> QueryExpression {
        let reference = RelationshipReference(
            entityIndex: entity.index, index: relationship.index, name: relationship.name)
        let root = QueryExpression.variable(.root)
        func isIt(_ object: QueryExpression) -> QueryExpression {
            .compare(.equal, .identity(object), .literal(.reference(id)))
        }
        return relationship.isToOne
            ? isIt(.toOne(root, reference)) : .exists(.toMany(root, reference), variable, isIt(.variable(variable)))
    }

    /// Restricts the rows by a relationship without an inverse.
    private func member(
        of owner: String, _ name: String, _ store: SQLiteStore, _ reading: StoreReading
    ) throws -> QueryExpression {
        let id = try Self.id(owner, store, reading)
        let entity = try store.model.inspectedEntity(id.entityName)
        let relationship = try entity.inspectedRelationship(name)
        var members: [ObjectID] = []
        if let slot = relationship.slot {
            if case .reference(let found)? = try reading.snapshots(of: [id]).first?.values[slot] { members = [found] }
        } else {
            members = try reading.members(of: relationship, entityIndex: entity.index, owners: [id])[id] ?? []
        }
        return .isMember(.identity(.variable(.root)), of: members.map(Value.reference))
    }
}
