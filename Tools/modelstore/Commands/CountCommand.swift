import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "How many rows there are.",
        discussion: """
            With an entity, the number alone is written; rows of the entities below it count, too. Without one, each \
            entity's own rows are counted, and in total those of the entities below it with them.

            EXAMPLES
              modelstore count default.store
              modelstore count default.store Item --where "owner == nil"
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: "The entity (model class); all of them unless given.", completion: NameCompletion.entities)
    var entity: String?

    @OptionGroup var filter: PredicateOption

    @OptionGroup var format: FormatOptions

    func validate() throws {
        if entity == nil, filter.predicate != nil { throw ValidationError("--where needs an entity.") }
    }

    func run() throws {
        try store.withStore { store in
            guard let entity else {
                return try writeAll(store)
            }
            let query = try RowSelection(entity, predicate: filter.predicate).query(in: store.model)
            let count = try store.count(query)
            guard !format.isTable else { return try Output.standard.line(String(count)) }
            try format.write(
                ["entity", "rows"], [[.text(store.model[query.entityIndex].name), .count(count)]], nothing: "")
        }
    }

    /// Includes rows of subentities, as counting a single entity does.
    private func writeAll(_ store: SQLiteStore) throws {
        let counts = try store.ownRowCounts()
        let hasTotals = !format.isTable || store.model.entities.contains(where: \.hasSubentities)
        let records: [[InspectedValue]] = ModelOutline.sorted(store.model).map { entity in
            let name = (format.isTable ? ModelOutline.indentation(of: entity, in: store.model) : "") + entity.name
            let total = entity.familyIndexes.reduce(0) { $0 + counts[$1] }
            return [.text(name), .count(counts[entity.index])] + (hasTotals ? [.count(total)] : [])
        }
        try format.write(
            ["entity", "rows"] + (hasTotals ? ["total"] : []), records, nothing: "The model has no entities.")
    }
}
