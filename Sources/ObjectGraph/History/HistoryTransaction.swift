/// One save of a store, as its history tells it.
package struct HistoryTransaction: Sendable, Hashable {
    /// UUID of the store, as `Store.identifier`.
    package let storeIdentifier: String
    /// Rises from save to save; never used again.
    package let number: Int64
    /// Seconds since 2001-01-01 UTC, by the clock of the machine that saved.
    package let timestamp: Double
    package let author: String?
    package let contextName: String?
    /// Name of the process that saved.
    package let processID: String?
    package let bundleID: String?
    /// In the order they were made. Changes of entities that the model does not have are left out.
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

    /// What comes after this token comes after this transaction.
    package var token: HistoryToken { HistoryToken([storeIdentifier: number]) }
}
