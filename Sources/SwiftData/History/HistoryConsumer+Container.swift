import Foundation
import ObjectGraph
import StoreDeletion

extension HistoryConsumer where Transaction == DefaultHistoryTransaction {
    /// Registers the name in every store of the container, or continues where it stopped. From now on history that it has not
    /// read waits for it: end a name that is not used any more with `unregister()`.
    /// - Parameters:
    ///   - name: one for each purpose; used by one process at a time.
    ///   - authors: of saves that are not passed on, such as its own.
    /// - Throws: `CocoaError.fileWriteNoPermission` (513) for a read-only store, `SwiftDataError.invalidTransactionFetchRequest`
    ///   where no store keeps a history, or what writing throws.
    public convenience init(
        _ name: String, of container: ModelContainer, from start: Start = .now, ignoring authors: Set<String> = []
    ) throws {
        let core = container.core
        try self.init(name, core.historyFiles, from: start, ignoring: authors) {
            DefaultHistoryTransaction($0, token: $0.token, core)
        }
    }

    /// Every name that history is kept for, by name. One that has not read for long keeps history from being deleted.
    /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` where no store keeps a history, or what reading throws.
    public static func registrations(in container: ModelContainer) throws -> [Registration] {
        try registrations(in: container.core.historyFiles)
    }
}

extension HistoryConsumer.Registration where Transaction == DefaultHistoryTransaction {
    /// The last transaction of each store that it has dealt with.
    public var token: DefaultHistoryToken { DefaultHistoryToken(place) }
}

extension ContainerCore {
    fileprivate var historyFiles: HistoryFiles {
        HistoryFiles({ try self.storesWithHistory() }, faceError: ErrorMapping.history)
    }
}
