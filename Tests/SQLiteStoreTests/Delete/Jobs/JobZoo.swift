import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// A file of the zoo with categories full of animals, and support for long deletes of it.
struct JobZoo {
    let zoo: ZooStore
    let categories: [ObjectID]
    let animals: [ObjectID]

    /// Every animal has a tag, a visit and the one keeper; categories have `animalsEach` of them.
    init(
        categories categoryCount: Int = 4, animalsEach: Int = 5, place: ZooStore.Place = .file, model: Model? = nil
    ) throws {
        let zoo = try ZooStore(place, model: model)
        self.zoo = zoo
        let rows = try zoo.save { changes in
            changes.insertions = try (0..<categoryCount).map {
                try zoo.insertion("Category", ["name": .text("category \($0)")])
            }
            changes.insertions.append(try zoo.insertion("Tag", ["label": .text("all")]))
            changes.insertions.append(try zoo.insertion("Keeper", ["name": .text("Kim")]))
        }.inserted.map(\.id)
        categories = Array(rows.prefix(categoryCount))
        let (tag, keeper) = (rows[categoryCount], rows[categoryCount + 1])
        let owners = categories.flatMap { category in (0..<animalsEach).map { ($0, category) } }
        animals = try zoo.save { changes in
            changes.insertions = try owners.map { number, category in
                try zoo.insertion(
                    "Animal",
                    [
                        "name": .text("animal \(number)"), "category": .reference(category),
                        "keeper": .reference(keeper),
                    ])
            }
        }.inserted.map(\.id)
        let all = animals
        try zoo.save { changes in
            changes.insertions = try all.map { try zoo.insertion("Visit", ["animal": .reference($0)]) }
            if !all.isEmpty { changes.links = [try zoo.link(tag, "animals", added: all)] }
        }
    }

    var store: SQLiteStore { zoo.store }

    /// The first categories.
    func request(_ count: Int, author: String? = nil) -> DeleteRequest {
        var request = DeleteRequest(.rows(RowSet(categories.prefix(count))))
        request.author = author
        return request
    }

    func job(
        _ count: Int, rows: Int, observer: (any DeleteObserver)? = nil,
        _ edit: (inout DeleteJobOptions) -> Void = { _ in }
    ) throws -> DeleteJob {
        var options = DeleteJobOptions()
        options.budget.rows = rows
        // However slow the machine is.
        options.budget.milliseconds = 1e9
        options.pauseMilliseconds = 0
        edit(&options)
        return try store.startJob(request(count), options, observer: observer)
    }

    func count(_ name: String) throws -> Int { try store.count(Query(entityIndex: try zoo.entity(name).index)) }

    var hasTable: Bool {
        get throws { try !zoo.rows("SELECT 1 FROM sqlite_master WHERE name LIKE 'OSD%'").isEmpty }
    }

    /// Animals whose category is gone, visits whose animal is gone, and join rows of missing animals.
    var strays: Int {
        get throws {
            let texts = [
                "SELECT 1 FROM ZANIMAL WHERE ZCATEGORY NOT IN (SELECT Z_PK FROM ZCATEGORY)",
                "SELECT 1 FROM ZVISIT WHERE ZANIMAL NOT IN (SELECT Z_PK FROM ZANIMAL)",
                "SELECT 1 FROM \(try joinTable) WHERE \(try joinColumn) NOT IN (SELECT Z_PK FROM ZANIMAL)",
            ]
            return try texts.reduce(0) { try $0 + zoo.rows($1).count }
        }
    }

    private var join: (table: String, animal: String) {
        get throws {
            let storage = store.map.entities[try zoo.entity("Animal").index]
            let relationship = try zoo.relationship("Animal", "tags")
            guard case .joinTable(let name, let owner, _, _)? = storage.toMany[relationship.index] else {
                throw UnexpectedStorage()
            }
            return (name, owner)
        }
    }

    var joinTable: String { get throws { try join.table } }
    private var joinColumn: String { get throws { try join.animal } }

    struct UnexpectedStorage: Error {}
}

extension DeleteJob {
    /// - Returns: the progress after each step.
    func finish() throws -> [DeleteJobProgress] {
        var all: [DeleteJobProgress] = []
        while all.last?.phase != .finished { all.append(try step()) }
        return all
    }
}

/// Records its notifications, and runs a test's closure.
final class JobWitness: DeleteObserver {
    private let pages = Locked<[RowSet]>([])
    private let results = Locked<[SavedRows]>([])
    private let action: @Sendable () throws -> Void

    init(_ action: @escaping @Sendable () throws -> Void = {}) { self.action = action }

    func willCommit(_ page: RowSet) throws {
        pages.withLock { $0.append(page) }
        try action()
    }

    func didCommit(_ result: SavedRows) { results.withLock { $0.append(result) } }

    var announced: RowSet { pages.withLock { $0.reduce(into: RowSet()) { $0.formUnion($1) } } }
    var pageCount: Int { pages.withLock { $0.count } }
    var committed: [SavedRows] { results.withLock { $0 } }
    var deleted: RowSet { committed.reduce(into: RowSet()) { $0.formUnion($1.plan.deleted) } }
}
