import ObjectGraph
import StoreSQL

/// Rows whose references are archived: survivors before their references are cleared, and rows restored without a reference.
struct LinkSource {
    private typealias Link = RecoveryTables.Link

    /// The rows' entity; `nil` to use each row's own.
    let entity: EntityStorage?
    let table: String
    /// Empty for a reference that belongs to no relationship of the rows themselves.
    let relationship: String
    /// `nil` for a to-many relationship.
    let columns: KeyColumns?

    init(entity: EntityStorage, relationship: String, columns: KeyColumns?) {
        self.entity = entity
        table = entity.table
        self.relationship = relationship
        self.columns = columns
    }

    init(table: String, columns: KeyColumns) {
        entity = nil
        self.table = table
        relationship = columns.isOwned ? "" : columns.name.relationship
        self.columns = columns
    }

    /// The statement that archives the references.
    /// - Parameter source: The rows' table, or its copy.
    func insertion(_ number: Int64, from source: String, where condition: SQLText) -> SQLText {
        let kept = [columns?.key, columns?.entityNumber, columns?.order].map { $0 ?? "NULL" }
        let entityNumber = entity.map { String($0.entityNumber) } ?? SystemTables.entityColumn
        return """
            INSERT INTO \(Link.table) (\(RecoveryTables.number), \(Link.entity), \(Link.relationship), \
            \(Link.column), \(Link.key), \(Link.target), \(Link.targetNumber), \(Link.order)) \
            SELECT \(.integer(number)), \(entityNumber), \(.text(relationship)), \(.text(columns?.key ?? "")), \
            \(SystemTables.keyColumn), \(kept.joined(separator: ", ")) FROM \(source) WHERE \(condition)
            """
    }
}
