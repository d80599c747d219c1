/// A store that keeps a history of what was saved.
public protocol HistoryProviding {
    associatedtype HistoryType: HistoryTransaction

    static var historyType: HistoryType.Type { get }
    func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
    func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}
