/// Names of the table of those who read a file's history and want to be waited for: made when the first registers,
/// dropped when the last has gone. It is ours, not Apple's.
package enum ConsumerTable {
    package static let table = "OSD_HISTORYCONSUMERS"
    package static let name = "OSD_NAME"
    /// Number of the last transaction that was dealt with.
    package static let number = "OSD_TRANSACTION"
    /// Seconds since 2001-01-01 UTC.
    package static let time = "OSD_TIME"

    static let createStatement =
        "CREATE TABLE IF NOT EXISTS \(table) (\(name) VARCHAR PRIMARY KEY, \(number) INTEGER, \(time) FLOAT)"
}
