import Foundation
import ObjectGraph
import StoreDeletion

extension HistoryConsumer where Transaction == DefaultHistoryTransaction {
    /// Registers a consumer's name in every store of a container, or continues where the consumer stopped. From then on the
    /// history that the consumer has not read is kept for it; call `unregister()` when the name is no longer used.
    /// - Parameters:
    ///   - name: The name, one for each purpose, used by one process at a time.
    ///   - container: The container whose history is read.
    ///   - start: The position where a new name starts.
    ///   - authors: The authors of saves that are not passed on, such as the consumer's own.
    /// - Throws: `CocoaError.fileWriteNoPermission` (513) for a read-only store,
    ///   `SwiftDataError.invalidTransactionFetchRequest` if no store keeps a history, or an error of writing.
    public convenience init(
        _ name: String, of container: ModelContainer, from start: Start = .now, ignoring authors: Set<String> = []
    ) throws {
        let core = container.core
        try self.init(name, core.historyFiles, from: start, ignoring: authors) {
            DefaultHistoryTransaction($0, token: $0.token, core)
        }
    }

    /// Returns every registered name for which history is kept, sorted by name. A name that is not read for long keeps
    /// history from being deleted.
    /// - Parameter container: The container whose stores are read.
    /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if no store keeps a history, or an error of reading.
    public static func registrations(in container: ModelContainer) throws -> [Registration] {
        try registrations(in: container.core.historyFiles)
    }
}

extension HistoryConsumer.Registration where Transaction == DefaultHistoryTransaction {
    /// The position up to which the consumer has processed the history.
    public var token: DefaultHistoryToken { DefaultHistoryToken(place) }
}

extension ContainerCore {
    fileprivate var historyFiles: HistoryFiles {
        HistoryFiles({ try self.storesWithHistory() }, faceError: ErrorMapping.history)
    }
}
