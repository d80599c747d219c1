/// Names of our own table of registered history consumers. It is created for the first consumer and dropped with the last.
package enum ConsumerTable {
    package static let table = "OSD_HISTORYCONSUMERS"
    package static let name = "OSD_NAME"
    /// The number of the last processed transaction.
    package static let number = "OSD_TRANSACTION"
    /// Seconds since 2001-01-01 UTC.
    package static let time = "OSD_TIME"

    package static let createStatement =
        "CREATE TABLE IF NOT EXISTS \(table) (\(name) VARCHAR PRIMARY KEY, \(number) INTEGER, \(time) FLOAT)"
}
