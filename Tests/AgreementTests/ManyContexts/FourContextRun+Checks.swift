import Testing

@testable import ObjectGraph
@testable import SQLiteStore
@testable import SwiftData

/// Invariants while no context has unsaved changes.
extension FourContextRun {
    func checkEverything() throws {
        let store = try #require(containers[0].store as? SQLiteStore)
        try store.pool.withReader { connection in
            try StoredLinks(map: store.map, connection: connection).check()
            try rows.check(store.map, connection)
        }
        for (place, context) in contexts.enumerated() where context.hasChanges {
            throw FailedCheck(kind: .unsavedChanges, text: "context \(place) has changes after its save or rollback")
        }
        let fresh = try ContextContents(ModelContext(containers[0]))
        for (place, context) in contexts.enumerated() {
            let contents = try ContextContents(context)
            if let difference = contents.difference(from: fresh) {
                throw FailedCheck(kind: .staleContext, text: "context \(place): \(difference)")
            }
            try contents.checkInverses(place)
        }
        try checkTags()
    }

    private func checkTags() throws {
        var seen: Set<Int64> = []
        for tag in try storedTags() where !seen.insert(tag).inserted {
            throw FailedCheck(kind: .doubledRow, text: "two rows have tag \(tag)")
        }
    }

    /// Of all rows in the file.
    func storedTags() throws -> [Int64] {
        guard let store = containers[0].store as? SQLiteStore else { return [] }
        return try store.pool.withReader { connection in
            try store.map.entityTables.flatMap { table in
                try connection.withStatement("SELECT ZTAG FROM \(table)") { statement in
                    var tags: [Int64] = []
                    while try statement.step() { tags.append(statement.integer(at: 0)) }
                    return tags
                }
            }
        }
    }
}
