import ObjectGraph

/// The sections of live results, in the order in which their first models appear.
///
/// ```swift
/// for section in observer.sections! { print(section.title, section.map(\.name)) }
/// let paris = observer.sections?[sectionTitle: "Paris"]?.count ?? 0
/// ```
public struct SectionedResults<Element, SectionTitle>: RandomAccessCollection
where Element: PersistentModel, SectionTitle: Hashable {
    /// The type of positions in the collection.
    public typealias Index = Int
    /// The type of the collection of positions.
    public typealias Indices = Range<Int>
    /// The type of a part of the collection.
    public typealias SubSequence = Slice<SectionedResults<Element, SectionTitle>>

    private let places: SectionPlaces<SectionTitle>
    private let window: RecordWindow<Element>

    init(_ places: SectionPlaces<SectionTitle>, of window: RecordWindow<Element>) {
        self.places = places
        self.window = window
    }

    /// The position of the first section, which is 0.
    public var startIndex: Int { 0 }
    /// The position after the last section, which is the number of sections.
    public var endIndex: Int { places.titles.count }

    /// The section at a position.
    /// - Parameter position: A position from `startIndex` up to, but not including, `endIndex`.
    public subscript(position: Int) -> ResultsSection<Element, SectionTitle> {
        precondition(places.titles.indices.contains(position), "Index \(position) is not among \(count) sections.")
        return ResultsSection(title: places.titles[position], window, places.range(at: position))
    }

    /// The titles of the sections in order.
    public var sectionTitles: [SectionTitle] { places.titles }

    /// Returns whether there is a section with a title.
    /// - Parameter title: The title.
    /// - Complexity: O(1)
    public func contains(sectionTitle title: SectionTitle) -> Bool { places.numbers[title] != nil }

    /// Returns the position of the section with a title, or `nil` if there is none.
    /// - Parameter title: The title.
    /// - Complexity: O(1)
    public func index(ofSectionTitled title: SectionTitle) -> Int? { places.numbers[title] }

    /// The section with a title; `nil` if there is none.
    /// - Parameter title: The title.
    /// - Complexity: O(1)
    public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
        places.numbers[title].map { self[$0] }
    }
}

extension SectionedResults: Equatable {
    /// Returns whether two collections have equal sections in the same order.
    public static func == (
        lhs: SectionedResults<Element, SectionTitle>, rhs: SectionedResults<Element, SectionTitle>
    ) -> Bool {
        lhs.elementsEqual(rhs)
    }
}

/// The division of results into sections: each is a range of the results.
struct SectionPlaces<SectionTitle: Hashable>: Equatable {
    private(set) var titles: [SectionTitle] = []
    /// The numbers of the sections by their titles.
    private(set) var numbers: [SectionTitle: Int] = [:]
    /// The place of the first result of each section.
    private var starts: [Int] = []
    private var count = 0

    /// - Parameter titles: The title of each result. Equal titles are adjacent, as the results are sorted by them. Texts that
    ///   are equal, but have other code points, may be apart: they make several sections then.
    init(of titles: some Sequence<SectionTitle>) {
        for title in titles { add(1, title) }
    }

    /// - Parameter sections: The title of each section, and the number of its results. Neighbours with equal titles are one
    ///   section.
    init(of sections: some Sequence<(title: SectionTitle, count: Int)>) {
        for section in sections { add(section.count, section.title) }
    }

    private mutating func add(_ count: Int, _ title: SectionTitle) {
        if titles.last != title {
            if numbers[title] == nil { numbers[title] = titles.count }
            titles.append(title)
            starts.append(self.count)
        }
        self.count += count
    }

    func range(at number: Int) -> Range<Int> {
        starts[number]..<(number + 1 < starts.count ? starts[number + 1] : count)
    }

    /// The section of the result at a place, and the place in it.
    func place(_ place: Int) -> (section: Int, item: Int)? {
        guard (0..<count).contains(place) else { return nil }
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= place { low = middle } else { high = middle }
        }
        return (low, place - starts[low])
    }
}
