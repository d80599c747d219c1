import ObjectGraph

/// The results of a fetch in batches, or of a ``ResultsObserver``. Of a fetch in batches, the identifiers are read at once;
/// models are read a batch at a time when they are accessed.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    /// The type of positions in the collection.
    public typealias Index = Int
    /// The type of the collection of positions.
    public typealias Indices = Range<Int>
    /// The type of the iterator.
    public typealias Iterator = IndexingIterator<FetchResultsCollection<Element>>
    /// The type of a part of the collection.
    public typealias SubSequence = Slice<FetchResultsCollection<Element>>

    private let window: any ResultsWindow<Element>

    init(_ window: any ResultsWindow<Element>) {
        self.window = window
    }

    /// The position of the first element, which is 0.
    public var startIndex: Int { 0 }
    /// The position after the last element, which is the number of elements.
    public var endIndex: Int { window.count }

    /// The element at a position.
    /// - Parameter position: A position from `startIndex` up to, but not including, `endIndex`.
    /// - Complexity: O(1) within the batch last read; otherwise the statements that read another batch.
    public subscript(position: Int) -> Element { window[position] }
}

/// The elements of a collection of results.
protocol ResultsWindow<Element> {
    associatedtype Element
    var count: Int { get }
    /// - Precondition: The position is below `count`.
    subscript(position: Int) -> Element { get }
}

/// The batch in use. Confined to the context that it reads through, like its models.
final class FetchWindow<Element>: ResultsWindow {
    let ids: [ObjectID]
    private let batchSize: Int
    private let read: ([ObjectID]) -> [Element]
    private var batch: [Element] = []
    private var batchStart = 0

    /// - Parameter read: Returns one element for each identifier.
    init(ids: [ObjectID], batchSize: Int, read: @escaping ([ObjectID]) -> [Element]) {
        self.ids = ids
        self.batchSize = Swift.max(1, batchSize)
        self.read = read
    }

    var count: Int { ids.count }

    subscript(position: Int) -> Element {
        precondition(ids.indices.contains(position), "Index \(position) is not among the \(ids.count) fetched models.")
        if !(batchStart..<batchStart + batch.count).contains(position) {
            batchStart = position / batchSize * batchSize
            batch = read(Array(ids[batchStart..<Swift.min(batchStart + batchSize, ids.count)]))
        }
        return batch[position - batchStart]
    }
}
