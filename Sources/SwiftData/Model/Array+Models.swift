// The standard library's names for adding at the end of an array, for arrays of models: the same, but that a to-many
// relationship which is edited in place notices that nothing else was done, and reads, compares and links no more than
// what was added.

extension Array where Element: PersistentModel {
    /// Adds a model at the end.
    ///
    /// On a to-many relationship (`owner.parts.append(part)`) the models that were there are not looked at again while one
    /// list is added to repeatedly; the first time after a save makes objects of all members.
    /// - Complexity: O(1) on average.
    @inlinable
    public mutating func append(_ newElement: Element) {
        if isListTraced { appendTraced(newElement) } else { _appendPlainly(newElement, to: &self) }
    }

    /// Adds models at the end.
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

// The standard library's own, which a call on an array of models would not find.

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

/// Whether any list is edited in place on this thread.
@usableFromInline
var isListTraced: Bool { CurrentTraces.isAny }
