/// Names of the table in which deletes that take several transactions are kept while they are under way. It is ours,
/// not Apple's, and no file has it for longer than it has such deletes.
package enum JobTables {
    package static let table = "OSD_DELETEJOB"
    /// A UUID as upper-case text.
    package static let id = "OSD_ID"
    package static let author = "OSD_AUTHOR"
    /// Seconds since 2001-01-01 UTC.
    package static let created = "OSD_CREATED"
    /// The rows asked for; `RootsCoding` reads and writes it.
    package static let roots = "OSD_ROOTS"
    /// What was chosen at the start, as JSON.
    package static let options = "OSD_OPTIONS"
    package static let rowsDone = "OSD_ROWSDONE"
    package static let rowsTotal = "OSD_ROWSTOTAL"
    package static let chunkCount = "OSD_CHUNKS"
    /// Digest of the file's model at the start.
    package static let model = "OSD_MODEL"

    /// Files of rows that the last chunk deleted, their names one after the other, separated by spaces: whoever goes on with
    /// the delete removes what a crash has left of them. Added when there are such files.
    static let files = "OSD_OLDFILES"
    static let addFilesStatement = "ALTER TABLE \(table) ADD COLUMN \(files) VARCHAR"

    package static let createStatement =
        "CREATE TABLE IF NOT EXISTS \(table) (\(id) VARCHAR PRIMARY KEY, \(author) VARCHAR, \(created) FLOAT, "
        + "\(roots) BLOB, \(options) VARCHAR, \(rowsDone) INTEGER, \(rowsTotal) INTEGER, \(chunkCount) INTEGER, "
        + "\(model) VARCHAR)"
}
