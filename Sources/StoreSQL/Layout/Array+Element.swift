extension Array {
    /// Returns the element, or `nil` if the index is out of range: for indexes that come from data.
    package func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
