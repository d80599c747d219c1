import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Tables of a model")
struct SchemaLayoutTests {
    private func columns(_ model: Model, table: Int = 0) -> [String] {
        SchemaLayout(model).tables[table].columns.map(\.name)
    }

    @Test("Root entities are numbered by name without case, each followed by its subentities")
    func numbering() throws {
        let names = ["zebra", "NWActivity", "NetworkAttachment", "Base"]
        var descriptions = names.map { EntityDescription($0) }
        descriptions += [
            EntityDescription("beta", superentity: "Base"), EntityDescription("Alpha", superentity: "Base"),
            EntityDescription("Deep", superentity: "Alpha"),
        ]
        let model = try Model(descriptions)
        let numbers = EntityNumbers(model)
        #expect(
            numbers.order.map { model[$0].name }
                == ["Base", "Alpha", "Deep", "beta", "NetworkAttachment", "NWActivity", "zebra"])
        #expect(numbers.numbers.sorted() == Array(1...7))
        #expect(PrimaryKeyTable.initialRows(model).map(\.superNumber) == [0, 1, 2, 1, 0, 0, 0])
        #expect(StorageMap(model).entities.first { $0.entityNumber == 1 }?.familyNumbers == [1, 2, 3, 4])
    }

    @Test("Entity numbers in a file are found by name, former name, then position")
    func fileNumbers() throws {
        var renamed = EntityDescription("New")
        renamed.renamingIdentifier = "Old"
        let model = try Model([EntityDescription("A"), EntityDescription("Moved"), renamed])
        func row(_ number: Int, _ name: String) -> PrimaryKeyRow {
            PrimaryKeyRow(number: number, name: name, superNumber: 0, highestKey: 0)
        }
        let numbers = try EntityNumbers(model, rows: [row(1, "A"), row(2, "Was"), row(7, "Old"), row(16001, "CHANGE")])
        #expect(numbers.numbers == [1, 2, 7])
        #expect(throws: StorageMapError.missingEntity("Moved")) {
            try EntityNumbers(model, rows: [row(1, "A"), row(7, "Old")])
        }
    }

    @Test("Equal column names get different numbers, in column order")
    func collisions() throws {
        var base = EntityDescription("Base")
        var author = Attribute("author", .composite)
        author.elements = [Attribute("id", .uuid), Attribute("name", .string)]
        base.attributes = [Attribute("id", .uuid), author, Attribute("name", .string), Attribute("pk", .integer64)]
        var first = EntityDescription("First", superentity: "Base")
        first.attributes = [Attribute("accountId", .string)]
        var second = EntityDescription("Second", superentity: "Base")
        second.attributes = [Attribute("accountId", .string), Attribute("accountID", .string)]
        let model = try Model([base, first, second])
        #expect(
            columns(model) == ["ZPK", "ZNAME", "ZNAME1", "ZACCOUNTID", "ZACCOUNTID1", "ZACCOUNTID2", "ZID", "ZID1"])
        let map = StorageMap(model)
        // Slots in declared order: id, author.id, author.name, name, pk.
        #expect(map.entities[0].columns.map { $0?.name } == ["ZID1", "ZID", "ZNAME", "ZNAME1", "ZPK"])
        #expect(map.entities[1].columns.last??.name == "ZACCOUNTID")
        #expect(map.entities[2].columns.suffix(2).map { $0?.name } == ["ZACCOUNTID2", "ZACCOUNTID1"])
    }

    @Test("Columns are ordered group by group, names in byte order, without transient ones")
    func columnOrder() throws {
        var entity = EntityDescription("Thing")
        var transient = Attribute("aTransient", .string)
        transient.isTransient = true
        entity.attributes = [
            Attribute("data", .binary), Attribute("any", .transformable), Attribute("uuid", .uuid),
            Attribute("url", .uri), Attribute("text", .string), Attribute("Text2", .string),
            Attribute("price", .decimal), Attribute("when", .date), Attribute("ratio", .float),
            Attribute("flag", .boolean), Attribute("count", .integer16), transient,
        ]
        entity.relationships = [Relationship("a", to: "Thing", .toOne)]
        let model = try Model([entity])
        #expect(
            SchemaLayout(model).tableStatements == [
                "CREATE TABLE ZTHING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNT INTEGER, "
                    + "ZFLAG INTEGER, ZA INTEGER, ZRATIO FLOAT, ZWHEN TIMESTAMP, ZPRICE DECIMAL, ZTEXT2 VARCHAR, "
                    + "ZTEXT VARCHAR, ZURL VARCHAR, ZUUID BLOB, ZANY BLOB, ZDATA BLOB )"
            ])
        #expect(StorageMap(model).entities[0].columns[11] == nil)
    }

    @Test("A key to a hierarchy is followed by the row's entity number")
    func entityNumberColumn() throws {
        var page = EntityDescription("Page")
        page.relationships = [Relationship("book", to: "Book", .toOne)]
        let model = try Model([EntityDescription("Book"), EntityDescription("Novel", superentity: "Book"), page])
        #expect(columns(model, table: 1) == ["ZBOOK", "Z1_BOOK"])
        let column = try #require(StorageMap(model).entities[2].columns[0])
        #expect(column.entityNumberColumn == "Z1_BOOK")
        #expect(column.destinationIndex == 0)
    }

    @Test("An ordered to-many relationship has an order column beside its inverse's key")
    func orderedToMany() throws {
        var list = EntityDescription("List")
        list.relationships = [Relationship("items", to: "Item", .toMany, inverse: "list")]
        list.relationships[0].isOrdered = true
        var item = EntityDescription("Item")
        item.relationships = [Relationship("list", to: "List", .toOne, inverse: "items")]
        let model = try Model([list, item])
        #expect(columns(model) == ["ZLIST", "Z_FOK_LIST"])
        #expect(
            StorageMap(model).entities[0].toMany == [
                .foreignKey(
                    table: "ZITEM", column: "ZLIST", ownerNumberColumn: nil, orderColumn: "Z_FOK_LIST",
                    ownsColumn: false)
            ])
        // Without inverse, key and order column are the relationship's own.
        list.relationships[0].inverseName = nil
        item.relationships = []
        let lone = try Model([list, item])
        #expect(columns(lone) == ["Z_FOK_2ITEMS", "Z2ITEMS"])
        #expect(
            StorageMap(lone).entities[0].toMany == [
                .foreignKey(
                    table: "ZITEM", column: "Z2ITEMS", ownerNumberColumn: nil, orderColumn: "Z_FOK_2ITEMS",
                    ownsColumn: true)
            ])
        #expect(SchemaLayout(lone).indexStatements == ["CREATE INDEX ZITEM_Z2ITEMS_INDEX ON ZITEM (Z2ITEMS)"])
    }

    @Test("The ordered side names the join table")
    func orderedJoin() throws {
        var asset = EntityDescription("Album")
        asset.relationships = [Relationship("photos", to: "Photo", .toMany, inverse: "albums")]
        var album = EntityDescription("Photo")
        album.relationships = [Relationship("albums", to: "Album", .toMany, inverse: "photos")]
        album.relationships[0].isOrdered = true
        let model = try Model([asset, album])
        #expect(
            SchemaLayout(model).joinTables.map(\.createStatement) == [
                "CREATE TABLE Z_2ALBUMS ( Z_2PHOTOS INTEGER, Z_1ALBUMS INTEGER, Z_FOK_1ALBUMS INTEGER, "
                    + "PRIMARY KEY (Z_2PHOTOS, Z_1ALBUMS) )"
            ])
        let map = StorageMap(model)
        #expect(
            map.entities[1].toMany == [
                .joinTable(
                    name: "Z_2ALBUMS", ownerColumn: "Z_2PHOTOS", memberColumn: "Z_1ALBUMS", orderColumn: "Z_FOK_1ALBUMS"
                )
            ])
        #expect(
            map.entities[0].toMany == [
                .joinTable(name: "Z_2ALBUMS", ownerColumn: "Z_1ALBUMS", memberColumn: "Z_2PHOTOS", orderColumn: nil)
            ])
    }

    @Test("The join table of a relationship ordered on both sides has its order columns in the order of its keys")
    func joinOrderedOnBothSides() throws {
        var album = EntityDescription("Album")
        album.relationships = [Relationship("photos", to: "Photo", .toMany, inverse: "albums")]
        album.relationships[0].isOrdered = true
        var photo = EntityDescription("Photo")
        photo.relationships = [Relationship("albums", to: "Album", .toMany, inverse: "photos")]
        photo.relationships[0].isOrdered = true
        #expect(
            SchemaLayout(try Model([album, photo])).joinTables.map(\.createStatement) == [
                "CREATE TABLE Z_1PHOTOS ( Z_1ALBUMS INTEGER, Z_2PHOTOS INTEGER, Z_FOK_1ALBUMS INTEGER, "
                    + "Z_FOK_2PHOTOS INTEGER, PRIMARY KEY (Z_1ALBUMS, Z_2PHOTOS) )"
            ])
    }

    @Test("Relationships of an entity with itself")
    func selfReferences() throws {
        var person = EntityDescription("Person")
        person.relationships = [
            Relationship("bans", to: "Person", .toMany, inverse: "bansInverse"),
            Relationship("bansInverse", to: "Person", .toMany, inverse: "bans"),
            Relationship("friends", to: "Person", .toMany, inverse: "friends"),
            Relationship("spouse", to: "Person", .toOne, inverse: "spouse"),
            Relationship("parent", to: "Person", .toOne, inverse: "children"),
            Relationship("children", to: "Person", .toMany, inverse: "parent"),
        ]
        let model = try Model([person])
        #expect(columns(model) == ["ZPARENT", "ZSPOUSE"])
        #expect(
            SchemaLayout(model).joinTables.map(\.createStatement) == [
                "CREATE TABLE Z_1BANSINVERSE ( Z_1BANS INTEGER, Z_1BANSINVERSE INTEGER, "
                    + "PRIMARY KEY (Z_1BANS, Z_1BANSINVERSE) )",
                "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )",
            ])
        let storage = StorageMap(model).entities[0].toMany
        #expect(
            storage[0]
                == .joinTable(
                    name: "Z_1BANSINVERSE", ownerColumn: "Z_1BANSINVERSE", memberColumn: "Z_1BANS", orderColumn: nil))
        #expect(
            storage[1]
                == .joinTable(
                    name: "Z_1BANSINVERSE", ownerColumn: "Z_1BANS", memberColumn: "Z_1BANSINVERSE", orderColumn: nil))
        #expect(
            storage[2]
                == .joinTable(
                    name: "Z_1FRIENDS", ownerColumn: "Z_1FRIENDS", memberColumn: "REFLEXIVE", orderColumn: nil))
        #expect(storage[3] == nil)
        #expect(
            storage[5]
                == .foreignKey(
                    table: "ZPERSON", column: "ZPARENT", ownerNumberColumn: nil, orderColumn: nil, ownsColumn: false))
    }

    @Test(
        "Equal key columns of join tables are numbered within the entity of the key, ordered by the other entity's name"
    )
    func joinKeyCollisions() throws {
        var user = EntityDescription("User")
        user.relationships = [
            Relationship("liked", to: "Post", .toMany, inverse: "users"),
            Relationship("tags", to: "Tag", .toMany, inverse: "users"),
        ]
        var post = EntityDescription("Post")
        post.relationships = [Relationship("users", to: "User", .toMany, inverse: "liked")]
        var tag = EntityDescription("Tag")
        tag.relationships = [Relationship("users", to: "User", .toMany, inverse: "tags")]
        let model = try Model([user, post, tag])
        #expect(
            SchemaLayout(model).joinTables.map(\.createStatement) == [
                "CREATE TABLE Z_1USERS ( Z_1LIKED INTEGER, Z_3USERS INTEGER, PRIMARY KEY (Z_1LIKED, Z_3USERS) )",
                "CREATE TABLE Z_2USERS ( Z_2TAGS INTEGER, Z_3USERS1 INTEGER, PRIMARY KEY (Z_2TAGS, Z_3USERS1) )",
            ])
        #expect(
            StorageMap(model).entities[0].toMany == [
                .joinTable(name: "Z_1USERS", ownerColumn: "Z_3USERS", memberColumn: "Z_1LIKED", orderColumn: nil),
                .joinTable(name: "Z_2USERS", ownerColumn: "Z_3USERS1", memberColumn: "Z_2TAGS", orderColumn: nil),
            ])
    }

    @Test("Indexes are created for keys, entity numbers, join tables, fetch indexes and constraints")
    func indexes() throws {
        var item = EntityDescription("Item")
        item.attributes = [Attribute("name", .string), Attribute("place", .composite)]
        item.attributes[1].elements = [Attribute("x", .double), Attribute("y", .double)]
        item.relationships = [
            Relationship("owner", to: "Item", .toOne), Relationship("tags", to: "Tag", .toMany, inverse: "items"),
        ]
        item.indexes = [
            FetchIndex(name: "byName", propertyNames: ["name", "owner"]),
            FetchIndex(name: "by place", propertyNames: ["place.y"]),
            FetchIndex(name: "byOwner", propertyNames: ["owner"]),
        ]
        item.uniquenessConstraints = [["name", "owner"]]
        var tag = EntityDescription("Tag")
        tag.relationships = [Relationship("items", to: "Item", .toMany, inverse: "tags")]
        let model = try Model([item, EntityDescription("Special", superentity: "Item"), tag])
        #expect(
            SchemaLayout(model).indexStatements == [
                "CREATE INDEX ZITEM_ZOWNER_INDEX ON ZITEM (ZOWNER)",
                "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)",
                "CREATE INDEX Z_1TAGS_Z_3TAGS_INDEX ON Z_1TAGS (Z_3TAGS, Z_1ITEMS)",
                "CREATE INDEX Z_Item_byName ON ZITEM (ZNAME COLLATE BINARY ASC, ZOWNER COLLATE BINARY ASC)",
                "CREATE INDEX \"Z_Item_by place\" ON ZITEM (ZY COLLATE BINARY ASC)",
                "CREATE UNIQUE INDEX Z_Item_UNIQUE_name_owner ON ZITEM "
                    + "(ZNAME COLLATE BINARY ASC, ZOWNER COLLATE BINARY ASC)",
            ])
        #expect(StorageMap(model).entities[1].uniqueColumns == [["ZNAME", "ZOWNER"]])
        let connection = try Connection(.memory, access: .create)
        for statement in SchemaLayout(model).schemaStatements() { try connection.execute(statement) }
    }

    @Test("History has a column for each preserved attribute of deleted rows")
    func tombstones() throws {
        var entity = EntityDescription("Note")
        entity.attributes = ["a", "b"].map { Attribute($0, .string) }
        for index in entity.attributes.indices { entity.attributes[index].preservesValueOnDeletion = true }
        let layout = SchemaLayout(try Model([entity]))
        #expect(layout.tombstoneCount == 2)
        #expect(
            layout.schemaStatements(.with).contains(
                "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
                    + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, "
                    + "ZTOMBSTONE1 BLOB )"))
        #expect(!layout.schemaStatements(.without).contains { $0.contains("ACHANGE") })
        let connection = try Connection(.memory, access: .create)
        for statement in layout.schemaStatements(.with) { try connection.execute(statement) }
        #expect(try FileTables(connection).tombstoneCount == 2)
    }
}
