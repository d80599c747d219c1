import GRDB

/// A row of the benchmark of live results, as the library's observers have it: without the property that they do not read.
struct Reading: FetchableRecord, TableRecord, Decodable {
    static let databaseTableName = "reading"
    static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("number"), Column("station")] }

    let id: Int64
    let number: Int
    let station: Int
}
