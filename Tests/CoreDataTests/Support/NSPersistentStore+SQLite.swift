import CoreData
import SQLiteStore

extension NSPersistentStore {
    /// The SQLite store; `nil` for a store of a program's own class.
    var sqlite: SQLiteStore? { engine as? SQLiteStore }
}
