import ObjectGraph

/// An object whose properties can be read by name, for predicates that are evaluated over plain objects.
package protocol KeyValueReadable {
    /// Returns the value, or `nil` for nil and for an unknown property.
    func readValue(forKey key: String) -> Any?
}
