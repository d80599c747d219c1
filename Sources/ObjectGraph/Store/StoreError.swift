/// An error of a store during a write.
package protocol StoreError: Error {
    /// Whether the store accepts no writes any more, because it was closed or replaced with another one. Nothing was
    /// written.
    var isMoved: Bool { get }
}
