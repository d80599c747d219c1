/// An error of a store that was asked to write.
package protocol StoreError: Error {
    /// Whether the store is written to no more, as it was closed or another one has taken its place. Nothing was written.
    var isMoved: Bool { get }
}
