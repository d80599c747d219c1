import Foundation
import ObjectGraph
import SQLiteStore

/// A store in a folder of its own: shelves with boxes, some of them crates, with things in an order, which are cascaded; labels and
/// a keeper, which survive. Some boxes have a photo large enough for a file.
struct CrashWorld {
    let url: URL

    init(folder: String) { url = URL(fileURLWithPath: folder).appendingPathComponent("crash.store") }

    static let model: Model = {
        var shelf = EntityDescription("Shelf")
        shelf.relationships = [Relationship("boxes", to: "Box", .toMany, inverse: "shelf", deleteRule: .cascade)]
        let crate = EntityDescription("Crate", superentity: "Box")
        var box = EntityDescription("Box")
        var name = Attribute("name", .string)
        name.preservesValueOnDeletion = true
        var photo = Attribute("photo", .binary, optional: true)
        photo.allowsExternalStorage = true
        box.attributes = [name, photo]
        var things = Relationship("things", to: "Thing", .toMany, inverse: "box", deleteRule: .cascade)
        things.isOrdered = true
        box.relationships = [
            Relationship("shelf", to: "Shelf", .toOne, inverse: "boxes"),
            things, Relationship("labels", to: "Label", .toMany, inverse: "boxes"),
        ]
        var thing = EntityDescription("Thing")
        var owner = Relationship("box", to: "Box", .toOne, inverse: "things")
        owner.isOptional = false
        thing.relationships = [owner, Relationship("twin", to: "Keepsake", .toOne, inverse: "thing")]
        var label = EntityDescription("Label")
        label.relationships = [Relationship("boxes", to: "Box", .toMany, inverse: "labels")]
        var keepsake = EntityDescription("Keepsake")
        keepsake.relationships = [Relationship("thing", to: "Thing", .toOne, inverse: "twin")]
        do {
            return try Model([shelf, box, crate, thing, label, keepsake])
        } catch {
            // An error in the lines above.
            fatalError("\(error)")
        }
    }()

    /// A later version: every entity has another number, boxes have an additional attribute, and join tables other names.
    static func laterModel() throws -> Model {
        var descriptions = model.descriptions + [EntityDescription("Attic")]
        for index in descriptions.indices where descriptions[index].name == "Box" {
            var weight = Attribute("weight", .integer64)
            weight.defaultValue = [.integer(1)]
            descriptions[index].attributes.append(weight)
        }
        return try Model(descriptions)
    }

    func migrate() throws -> StoreMigration.Outcome {
        var migration = StoreMigration(url, to: try Self.laterModel())
        migration.busyTimeout = 0
        return try migration.run()
    }

    /// - Parameter wait: how long a call may wait for a lock, in seconds, before it fails.
    func open(wait: Double = 0) throws -> SQLiteStore {
        var options = SQLiteStore.Options()
        options.busyTimeout = wait
        return try SQLiteStore(model: Self.model, location: .file(url), options: options)
    }

    /// Half of the shelves.
    static func request(_ store: SQLiteStore) throws -> DeleteRequest {
        let shelf = try entity("Shelf")
        let ids = try store.fetchIDs(Query(entityIndex: shelf.index)).filter { $0.key % 2 == 0 }
        return DeleteRequest(.rows(RowSet(ids)))
    }

    static func entity(_ name: String) throws -> Entity {
        guard let entity = model.entity(named: name) else { throw CrashProblem("no entity \(name)") }
        return entity
    }

    // MARK: Filling

    func make(shelves: Int, boxesEach: Int) throws {
        let store = try open()
        let shelfIDs = try insert("Shelf", Array(repeating: [:], count: shelves), store)
        var rows = shelfIDs.flatMap { shelf in
            (0..<boxesEach).map { ["name": Value.text("box \($0)"), "shelf": .reference(shelf)] }
        }
        for index in stride(from: 0, to: rows.count, by: max(3, rows.count / 7)) {
            rows[index]["photo"] = Self.photo(index)
        }
        let crateCount = rows.count / 3
        let boxes =
            try insert("Crate", Array(rows.prefix(crateCount)), store)
            + insert("Box", Array(rows.dropFirst(crateCount)), store)
        let things = try insert("Thing", boxes.flatMap { [["box": .reference($0)], ["box": .reference($0)]] }, store)
        let labels = try insert("Label", [[:], [:]], store)
        let pairs = things.filter { $0.key % 5 == 0 }
        let keepsakes = try insert("Keepsake", pairs.map { ["thing": .reference($0)] }, store)
        var changes = ChangeSet()
        let (box, thing) = (try Self.entity("Box"), try Self.entity("Thing"))
        for snapshot in try store.snapshots(of: pairs).sorted(by: { $0.id < $1.id }) {
            guard let place = pairs.firstIndex(of: snapshot.id), let slot = thing.relationship(named: "twin")?.slot
            else {
                continue
            }
            var values = snapshot.values
            values[slot] = .reference(keepsakes[place])
            changes.updates.append(
                ChangeSet.Update(
                    id: snapshot.id, entityIndex: thing.index, expectedVersion: snapshot.version, values: values,
                    changedSlots: [slot], changedToMany: []))
        }
        for (number, id) in boxes.enumerated() {
            changes.links.append(
                ChangeSet.LinkChange(
                    owner: id, ownerEntityIndex: box.index,
                    relationshipIndex: box.relationship(named: "labels")?.index ?? 0, added: labels, removed: []))
            changes.links.append(
                ChangeSet.LinkChange(
                    owner: id, ownerEntityIndex: box.index,
                    relationshipIndex: box.relationship(named: "things")?.index ?? 0, added: [], removed: [],
                    order: Array(things[(2 * number)..<(2 * number + 2)].reversed())))
        }
        try save(changes, store)
    }

    /// Too large for a row.
    static func photo(_ number: Int) -> Value {
        .bytes(Data(repeating: UInt8(truncatingIfNeeded: number), count: ExternalData.threshold + 1 + number))
    }

    func insert(
        _ name: String, _ rows: [[String: Value]], _ store: SQLiteStore, author: String? = nil
    ) throws -> [ObjectID] {
        let entity = try Self.entity(name)
        var changes = ChangeSet()
        changes.author = author
        changes.insertions = rows.map { given in
            var values: [Value] = entity.slots.map { _ in .null }
            for (property, value) in given {
                let slot = entity.relationship(named: property)?.slot ?? entity.attribute(named: property)?.slots.first
                if let slot { values[slot] = value }
            }
            return ChangeSet.Insertion(
                id: .temporary(entityName: name), entityIndex: entity.index, values: SlotValues(values))
        }
        return try save(changes, store).inserted.map(\.id)
    }

    @discardableResult
    func save(_ changes: ChangeSet, _ store: SQLiteStore) throws -> SavedRows {
        guard case .saved(let rows) = try store.save(changes) else { throw CrashProblem("a save conflicts") }
        return rows
    }

    // MARK: Copies

    /// The same store in another folder.
    func copy(to folder: String) throws -> CrashWorld {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let copy = CrashWorld(folder: folder)
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: copy.url.path + ending)
            if FileManager.default.fileExists(atPath: url.path + ending), ending != "-shm" {
                try FileManager.default.copyItem(atPath: url.path + ending, toPath: copy.url.path + ending)
            }
        }
        let (support, other) = (supportFolder, copy.supportFolder)
        try? FileManager.default.removeItem(at: other)
        if FileManager.default.fileExists(atPath: support.path) {
            try FileManager.default.copyItem(at: support, to: other)
        }
        return copy
    }
}

extension CrashWorld {
    /// Beside the store, for large values.
    private var supportFolder: URL { files.folder.deletingLastPathComponent() }

    var files: ExternalData { ExternalData(storeURL: url) }
}

struct CrashProblem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
