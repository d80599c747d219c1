/// One element for each entity of a model, by entity index. A restricted model has indexes without an entity, which
/// have no element.
package struct PerEntity<Element> {
    private var elements: [Element]
    /// The position in `elements` by entity index; `nil` if the two are equal.
    private let positions: [Int]?

    /// Creates the elements in the order of `Model.entities`.
    package init(_ model: Model, _ element: (Entity) throws -> Element) rethrows {
        elements = try model.entities.map(element)
        positions = model.positions
    }

    package subscript(entityIndex: Int) -> Element {
        get { elements[position(entityIndex)] }
        set { elements[position(entityIndex)] = newValue }
    }

    /// Returns the element; `nil` if there is none. For indexes from outside the program.
    package func element(_ entityIndex: Int) -> Element? {
        guard let positions else { return elements.indices.contains(entityIndex) ? elements[entityIndex] : nil }
        guard positions.indices.contains(entityIndex), positions[entityIndex] >= 0 else { return nil }
        return elements[positions[entityIndex]]
    }

    @inline(__always)
    private func position(_ entityIndex: Int) -> Int { positions.map { $0[entityIndex] } ?? entityIndex }
}

extension PerEntity: Sequence {
    package func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }
}

extension PerEntity: Sendable where Element: Sendable {}
