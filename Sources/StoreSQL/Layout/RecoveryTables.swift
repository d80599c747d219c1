/// Names of our own tables of archived deletions. They are created for the first archived deletion and dropped with the
/// last. No name of Core Data's begins like theirs.
package enum RecoveryTables {
    package static let prefix = "OSD_"
    /// In every table, the number of the archived deletion.
    package static let number = "OSD_DELETE"

    /// One row per archived deletion.
    package enum Delete {
        package static let table = "OSD_DELETES"
        package static let number = "OSD_NUMBER"
        /// UUID as upper-case text.
        package static let token = "OSD_TOKEN"
        /// Seconds since 2001-01-01 UTC.
        package static let time = "OSD_TIME"
        package static let author = "OSD_AUTHOR"
        package static let summary = "OSD_SUMMARY"
        package static let rowCount = "OSD_ROWCOUNT"
        package static let linkCount = "OSD_LINKCOUNT"
        package static let byteCount = "OSD_BYTECOUNT"
        /// The digest of the file's model at that time.
        package static let model = "OSD_MODEL"
        package static let createStatement =
            "CREATE TABLE \(table) (\(number) INTEGER PRIMARY KEY, \(token) TEXT NOT NULL UNIQUE, \(time) REAL, "
            + "\(author) TEXT, \(summary) TEXT, \(rowCount) INTEGER, \(linkCount) INTEGER, \(byteCount) INTEGER, "
            + "\(model) TEXT)"
    }

    /// One row per survivor and cleared reference; without a key column, one per survivor whose to-many relationship lost
    /// members.
    package enum Link {
        package static let table = "OSD_LINKS"
        /// The entity number of the survivor.
        package static let entity = "OSD_ENTITY"
        /// Empty for a reference that does not belong to a relationship of the survivor itself.
        package static let relationship = "OSD_RELATIONSHIP"
        /// The key's column; empty for a to-many relationship.
        package static let column = "OSD_COLUMN"
        /// The survivor's key.
        package static let key = "OSD_KEY"
        package static let target = "OSD_TARGET"
        package static let targetNumber = "OSD_TARGETNUMBER"
        package static let order = "OSD_ORDER"
        package static let createStatement =
            "CREATE TABLE \(table) (\(number) INTEGER, \(entity) INTEGER, \(relationship) TEXT, \(column) TEXT, "
            + "\(key) INTEGER, \(target) INTEGER, \(targetNumber), \(order), "
            + "PRIMARY KEY (\(number), \(entity), \(relationship), \(column), \(key))) WITHOUT ROWID"
    }

    /// One row per external file that an archived row refers to.
    package enum File {
        package static let table = "OSD_FILES"
        /// The table of the archived row.
        package static let rowTable = "OSD_TABLE"
        package static let key = "OSD_KEY"
        /// The cell that names the file.
        package static let cell = "OSD_CELL"
        package static let createStatement =
            "CREATE TABLE \(table) (\(number) INTEGER, \(rowTable) TEXT, \(key) INTEGER, \(cell) BLOB, "
            + "PRIMARY KEY (\(number), \(rowTable), \(key), \(cell))) WITHOUT ROWID"
    }

    /// Copies of another table's rows: all of its columns, after these.
    package enum Copy {
        private static let tablePrefix = "OSD_ROWS_"
        /// Notes references without a destination at the time of the copy, and one-to-one references to rows that
        /// referred to another row; in copies of join rows, 1 if one of the ends was missing.
        package static let dangling = "OSD_LOOSE"

        /// The mark of a reference without a destination.
        package static func danglingMark(_ key: String) -> String { ",\(key)," }

        /// The mark of a one-to-one reference whose destination referred to another row.
        package static func otherInverseMark(_ key: String) -> String { ",\(key)!," }

        package static func table(of original: String) -> String { tablePrefix + original }

        /// The quoted name of the copy's table.
        package static func name(of original: String) -> String { SchemaText.quoted(table(of: original)) }

        package static func original(of table: String) -> String? {
            table.hasPrefix(tablePrefix) ? String(table.dropFirst(tablePrefix.count)) : nil
        }

        /// Columns are declared without a type, so that every cell stays unchanged. Keys are declared as integers,
        /// because SQLite looks up no integer in an index of a column that might hold texts.
        package static func createStatement(_ original: String, columns: [String], key: [String]) -> String {
            let names = [dangling] + columns.map { SchemaText.quoted($0) + (key.contains($0) ? " INTEGER" : "") }
            let primary = [number] + key.map(SchemaText.quoted)
            return "CREATE TABLE IF NOT EXISTS \(SchemaText.quoted(table(of: original))) (\(number) INTEGER, "
                + "\(names.joined(separator: ", ")), PRIMARY KEY (\(primary.joined(separator: ", ")))) WITHOUT ROWID"
        }
    }

    package static let createStatements = [Delete.createStatement, Link.createStatement, File.createStatement]
    package static let tables = [Delete.table, Link.table, File.table]
}
