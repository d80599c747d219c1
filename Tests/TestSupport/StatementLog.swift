import ObjectGraph

/// The statements that a store executed, in order.
package final class StatementLog: Sendable {
    private let texts = Locked<[String]>([])

    package init() {}

    package func add(_ text: String) { texts.withLock { $0.append(text) } }
    package func clear() { texts.withLock { $0 = [] } }
    package var statements: [String] { texts.withLock { $0 } }

    /// The statements that read rows.
    package var queries: [String] { statements.filter { $0.hasPrefix("SELECT") } }
}
