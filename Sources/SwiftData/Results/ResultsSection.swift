/// The models of one section of live results: those with the same title, in the order of the results.
public struct ResultsSection<Element, SectionTitle>: RandomAccessCollection, Identifiable
where Element: PersistentModel, SectionTitle: Hashable {
    /// The type of positions in the section.
    public typealias Index = Int
    /// The type of the collection of positions.
    public typealias Indices = Range<Int>
    /// The type of a part of the section.
    public typealias SubSequence = Slice<ResultsSection<Element, SectionTitle>>

    /// The value that the section's models have in common.
    public let title: SectionTitle
    private let window: RecordWindow<Element>
    /// The place of the section in all results.
    private let range: Range<Int>

    init(title: SectionTitle, _ window: RecordWindow<Element>, _ range: Range<Int>) {
        self.title = title
        self.window = window
        self.range = range
    }

    /// The title, which identifies the section among the others.
    public var id: SectionTitle { title }
    /// The position of the first model, which is 0.
    public var startIndex: Int { 0 }
    /// The position after the last model, which is the number of models.
    public var endIndex: Int { range.count }

    /// The model at a position.
    /// - Parameter position: A position from `startIndex` up to, but not including, `endIndex`.
    public subscript(position: Int) -> Element {
        precondition(
            position >= 0 && position < range.count, "Index \(position) is not in a section of \(range.count).")
        return window[range.lowerBound + position]
    }
}

extension ResultsSection: Equatable {
    /// Returns whether two sections have the same title and the same models in the same order.
    public static func == (
        lhs: ResultsSection<Element, SectionTitle>, rhs: ResultsSection<Element, SectionTitle>
    ) -> Bool {
        lhs.title == rhs.title && lhs.elementsEqual(rhs)
    }
}
