import ObjectGraph
import SQLiteStore
import TestSupport

@testable import SwiftData

/// A container in memory whose statements are recorded.
func loggedContainer(_ types: any PersistentModel.Type...) throws -> (ModelContainer, StatementLog) {
    let schema = Schema(types)
    let log = StatementLog()
    var options = SQLiteStore.Options()
    options.onStatement = { log.add($0) }
    let store = try SQLiteStore(model: schema.compiled(), location: .memory, options: options)
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    return (ModelContainer(ContainerCore(schema: schema, store: store, configuration: configuration)), log)
}
