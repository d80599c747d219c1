/// Names of our own table of long deletes that are in progress. A file has the table only while there are such deletes.
package enum JobTables {
    package static let table = "OSD_DELETEJOB"
    /// A UUID as upper-case text.
    package static let id = "OSD_ID"
    package static let author = "OSD_AUTHOR"
    /// Seconds since 2001-01-01 UTC.
    package static let created = "OSD_CREATED"
    /// The deleted roots; encoded by `RootsCoding`.
    package static let roots = "OSD_ROOTS"
    /// The options of the delete, as JSON.
    package static let options = "OSD_OPTIONS"
    package static let rowsDone = "OSD_ROWSDONE"
    package static let rowsTotal = "OSD_ROWSTOTAL"
    package static let chunkCount = "OSD_CHUNKS"
    /// The digest of the file's model at the start.
    package static let model = "OSD_MODEL"

    /// The names of files of rows that the last chunk deleted, separated by spaces. After a crash, the resumed delete
    /// removes the remaining ones. The column is added when there are such files.
    package static let files = "OSD_OLDFILES"
    package static let addFilesStatement = "ALTER TABLE \(table) ADD COLUMN \(files) VARCHAR"

    package static let createStatement =
        "CREATE TABLE IF NOT EXISTS \(table) (\(id) VARCHAR PRIMARY KEY, \(author) VARCHAR, \(created) FLOAT, "
        + "\(roots) BLOB, \(options) VARCHAR, \(rowsDone) INTEGER, \(rowsTotal) INTEGER, \(chunkCount) INTEGER, "
        + "\(model) VARCHAR)"
}
