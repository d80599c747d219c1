/// One save of a store, as recorded in its history.
package struct HistoryTransaction: Sendable, Hashable {
    /// The UUID of the store, equal to `Store.identifier`.
    package let storeIdentifier: String
    /// Increases with every save; never reused.
    package let number: Int64
    /// Seconds since 2001-01-01 UTC, by the clock of the machine that saved.
    package let timestamp: Double
    package let author: String?
    package let contextName: String?
    /// The name of the process that saved.
    package let processID: String?
    package let bundleID: String?
    /// In the order in which they were made, without changes of entities that the model lacks.
    package var changes: [HistoryChange]

    package init(
        storeIdentifier: String, number: Int64, timestamp: Double, author: String?, contextName: String?,
        processID: String?, bundleID: String?, changes: [HistoryChange] = []
    ) {
        self.storeIdentifier = storeIdentifier
        self.number = number
        self.timestamp = timestamp
        self.author = author
        self.contextName = contextName
        self.processID = processID
        self.bundleID = bundleID
        self.changes = changes
    }

    /// The token of the transactions after this one.
    package var token: HistoryToken { HistoryToken([storeIdentifier: number]) }
}
