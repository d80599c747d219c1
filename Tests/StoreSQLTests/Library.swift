import ObjectGraph
import StoreSQL

/// Authors with books, and readers with the books they have read.
struct Library {
    let model: Model
    let map: StorageMap
    let spaces: EntitySpaces
    let dialect = NumberedDialect()

    init() throws {
        var author = EntityDescription("Author")
        author.attributes = [Attribute("name", .string, optional: true)]
        author.relationships = [Relationship("books", to: "Book", .toMany, inverse: "author", deleteRule: .cascade)]
        var book = EntityDescription("Book")
        book.attributes = [
            Attribute("pages", .integer64, optional: true), Attribute("published", .date, optional: true),
            Attribute("title", .string, optional: true),
        ]
        book.relationships = [
            Relationship("author", to: "Author", .toOne, inverse: "books"),
            Relationship("readers", to: "Reader", .toMany, inverse: "books"),
        ]
        var reader = EntityDescription("Reader")
        reader.attributes = [Attribute("name", .string, optional: true)]
        reader.relationships = [Relationship("books", to: "Book", .toMany, inverse: "readers")]
        reader.uniquenessConstraints = [["name"]]
        var novel = EntityDescription("Novel", superentity: "Book")
        novel.attributes = [Attribute("genre", .string, optional: true)]
        model = try Model([author, book, reader, novel])
        map = StorageMap(model)
        spaces = EntitySpaces(model: model, storeIdentifier: "LIBRARY")
    }

    var builder: SelectBuilder { SelectBuilder(map: map, spaces: spaces, dialect: dialect) }

    func index(_ entity: String) -> Int { model.entity(named: entity)?.index ?? 0 }

    func query(_ entity: String, _ predicate: QueryExpression? = nil) -> Query {
        Query(entityIndex: index(entity), predicate: predicate)
    }

    func attribute(
        _ entity: String, _ name: String, of object: QueryExpression = .variable(.root)
    ) -> QueryExpression {
        let slot = model.entity(named: entity)?.attribute(named: name)?.slots.lowerBound ?? 0
        return .attribute(object, AttributeReference(entityIndex: index(entity), slot: slot, path: name))
    }

    func relationship(_ entity: String, _ name: String) -> RelationshipReference {
        let position = model.entity(named: entity)?.relationship(named: name)?.index ?? 0
        return RelationshipReference(entityIndex: index(entity), index: position, name: name)
    }

    /// The text of the rows of a query, from FROM.
    func text(_ query: Query) throws -> String {
        let text = try builder.rows(query, columns: [SystemTables.keyColumn]).rendered(for: dialect)
        return text.replacing("SELECT t0.Z_PK FROM ", with: "", maxReplacements: 1)
    }
}
