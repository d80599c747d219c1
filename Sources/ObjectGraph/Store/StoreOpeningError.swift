/// A file that cannot be opened as a store.
package enum StoreOpeningError: Error, Hashable {
    case noFile(String)
    case folder(String)
    case tooShort(String)
    case cannotOpen(String)
    case notAStore
    case unusableEntityNumber(Int)
    /// The entity numbers are missing from a file to be written.
    case noEntityNumbers
}

extension StoreOpeningError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFile(let path): "There is no store at \(path); open it for writing to make one."
        case .folder(let path): "There is a folder at \(path), not a store; give the path of a file."
        case .tooShort(let path):
            "The file at \(path) is too short to be a store; it is damaged or not a database. Choose another file."
        case .cannotOpen(let path):
            "The file at \(path) cannot be opened; check that its folder exists and that both may be read and written."
        case .unusableEntityNumber(let number):
            "The file has the invalid entity number \(number); it is damaged. Restore it from a copy."
        case .noEntityNumbers:
            "The file lacks the numbers of its entities, which identify its rows, and may be read only; "
                + "restore it from a copy to change it."
        case .notAStore: "The file is a database, but no SwiftData or Core Data store; choose another file."
        }
    }
}
