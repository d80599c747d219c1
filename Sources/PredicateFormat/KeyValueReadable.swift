import ObjectGraph

/// An object whose properties can be read by name, for predicates that are evaluated over plain objects.
package protocol KeyValueReadable {
    /// The value, or `nil` for nil and for a property that is not there.
    func readValue(forKey key: String) -> Any?
}
