// The standard library's methods for appending, for arrays of models. They behave the same, but a to-many relationship that
// is edited in place recognizes that models were only appended, and reads, compares and links no others.

extension Array where Element: PersistentModel {
    /// Adds a model at the end of the array.
    ///
    /// On a to-many relationship (`owner.parts.append(part)`), repeated appending does not process the existing members
    /// again; the first append after a save creates objects of all members.
    /// - Parameter newElement: The model to add.
    /// - Complexity: O(1) on average.
    @inlinable
    public mutating func append(_ newElement: Element) {
        if isListTraced { appendTraced(newElement) } else { _appendPlainly(newElement, to: &self) }
    }

    /// Adds models at the end of the array.
    /// - Parameter newElements: The models to add.
    /// - Complexity: O(*m*) on average, where *m* is the number of models added.
    @inlinable
    public mutating func append<S: Sequence>(contentsOf newElements: S) where S.Element == Element {
        if isListTraced { appendTraced(newElements) } else { _appendPlainly(contentsOf: newElements, to: &self) }
    }

    @usableFromInline
    mutating func appendTraced(_ newElement: Element) {
        ListTrace.add(to: &self) { _appendPlainly(newElement, to: &$0) }
    }

    @usableFromInline
    mutating func appendTraced<S: Sequence>(_ newElements: S) where S.Element == Element {
        ListTrace.add(to: &self) { _appendPlainly(contentsOf: newElements, to: &$0) }
    }
}

// The standard library's methods, which the methods above hide for arrays of models.

@inlinable
func _appendPlainly<List: RangeReplaceableCollection>(_ element: List.Element, to list: inout List) {
    list.append(element)
}

@inlinable
func _appendPlainly<List: RangeReplaceableCollection, Elements: Sequence>(
    contentsOf elements: Elements, to list: inout List
) where Elements.Element == List.Element {
    list.append(contentsOf: elements)
}

/// Whether any list is being edited in place on this thread.
@usableFromInline
var isListTraced: Bool { CurrentTraces.isAny }
