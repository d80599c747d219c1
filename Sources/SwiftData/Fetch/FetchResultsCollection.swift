import ObjectGraph

/// Results of a fetch in batches: identifiers are known at once, models are read a batch at a time when they are reached.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    public typealias Index = Int
    public typealias Indices = Range<Int>
    public typealias Iterator = IndexingIterator<FetchResultsCollection<Element>>
    public typealias SubSequence = Slice<FetchResultsCollection<Element>>

    private let window: FetchWindow<Element>

    init(_ window: FetchWindow<Element>) {
        self.window = window
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { window.count }

    public subscript(position: Int) -> Element { window[position] }
}

/// The batch in use. Confined to the context it reads through, like the models it gives.
final class FetchWindow<Element> {
    let ids: [ObjectID]
    private let batchSize: Int
    private let read: ([ObjectID]) -> [Element]
    private var batch: [Element] = []
    private var batchStart = 0

    /// - Parameter read: gives one element per identifier.
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
