import ObjectGraph

extension MemoryStore: HistoryHolding {
    package var historyContents: HistoryContents { rows.history }

    package func changeHistory<Result>(_ body: (inout HistoryContents) throws -> Result) throws -> Result {
        try transaction { try body(&$0.history) }
    }
}
