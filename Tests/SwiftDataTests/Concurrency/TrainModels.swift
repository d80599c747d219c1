import Foundation
import TestSupport

@testable import SQLiteStore
@testable import SwiftData

/// One-to-one relationships: an optional one to itself, and one with a mandatory owner.
@Model final class Wagon {
    var number: Int
    @Relationship(inverse: \Wagon.previous) var next: Wagon?
    var previous: Wagon?

    init(_ number: Int) { self.number = number }
}

@Model final class Chest {
    var number: Int
    @Relationship(deleteRule: .cascade, inverse: \Seal.chest) var seal: Seal?

    init(_ number: Int) { self.number = number }
}

@Model final class Seal {
    var number: Int
    var chest: Chest

    init(_ number: Int, on chest: Chest) {
        self.number = number
        self.chest = chest
    }
}

/// The same with an optional owner.
@Model final class Locker {
    var number: Int
    @Relationship(inverse: \Key.locker) var key: Key?

    init(_ number: Int) { self.number = number }
}

@Model final class Key {
    var locker: Locker?

    init() {}
}

/// A store in a folder of its own, for containers that share it.
final class SharedFile {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    var url: URL { folder.appendingPathComponent("shared.store") }

    init() throws { temporary = try TemporaryFolder() }

    func container(for types: any PersistentModel.Type...) throws -> ModelContainer {
        try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: url))
    }
}

extension ModelContainer {
    /// Runs a statement directly on the file.
    func execute(_ sql: String) throws {
        try (store as? SQLiteStore)?.pool.withWriter { try $0.execute(sql) }
    }

    /// The integers of a statement's rows; `nil` for NULL.
    func integers(_ sql: String) throws -> [[Int64?]] {
        try (store as? SQLiteStore)?.pool.withWriter { connection in
            try connection.withStatement(sql) { statement in
                var rows: [[Int64?]] = []
                while try statement.step() {
                    rows.append(
                        (0..<statement.columnCount).map { statement.isNull(at: $0) ? nil : statement.integer(at: $0) })
                }
                return rows
            }
        } ?? []
    }
}
