import Foundation

/// Stores whose names differ only in the extension share a folder of external values.
extension ExternalData {
    /// Removes files that no row of this store refers to any more. Call it after the commit. If another store uses the
    /// same folder, files that it refers to are kept, and all files are kept if it cannot be read.
    /// - Returns: The names of files that could not be removed.
    /// - Complexity: Reads the tables with data columns of such another store.
    @discardableResult
    package func removeUnreferenced(_ names: some Sequence<String>) -> [String] {
        var names = Set(names)
        if names.isEmpty { return [] }
        for neighbour in StoreFiles.neighbours(of: storeURL) {
            guard let referenced = try? FileReferences.all(at: neighbour) else { return [] }
            names.subtract(referenced)
        }
        return remove(names.sorted())
    }
}
