import ObjectGraph
import SQLiteStore

@testable import SwiftData

/// The statements that a store ran.
final class StatementLog: Sendable {
    private let texts = Locked<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    func clear() { texts.withLock { $0 = [] } }
    /// The statements that read rows.
    var statements: [String] { texts.withLock { $0.filter { $0.hasPrefix("SELECT") } } }
}

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
