import Foundation
import ObjectGraph

/// One save of a store in a file, or in memory.
public struct DefaultHistoryTransaction: HistoryTransaction {
    public typealias TokenType = DefaultHistoryToken
    public typealias TransactionIdentifier = Int64

    public var id: Int64 { transactionIdentifier }
    public let timestamp: Date
    public let changes: [HistoryChange]
    public let token: DefaultHistoryToken
    public let transactionIdentifier: Int64
    public let storeIdentifier: String
    /// Of the program that saved; empty where the file does not tell.
    public let bundleIdentifier: String
    /// Name of the process that saved; empty where the file does not tell.
    public let processIdentifier: String
    public let author: String?

    /// - Parameter token: where to read on from after this transaction.
    init(_ transaction: ObjectGraph.HistoryTransaction, token: ObjectGraph.HistoryToken, _ core: ContainerCore) {
        timestamp = Date(timeIntervalSinceReferenceDate: transaction.timestamp)
        changes = transaction.changes.compactMap {
            HistoryChange($0, transactionNumber: transaction.number, core)
        }
        self.token = DefaultHistoryToken(token)
        transactionIdentifier = transaction.number
        storeIdentifier = transaction.storeIdentifier
        bundleIdentifier = transaction.bundleID ?? ""
        processIdentifier = transaction.processID ?? ""
        author = transaction.author
    }

    /// By store and number.
    public static func == (lhs: DefaultHistoryTransaction, rhs: DefaultHistoryTransaction) -> Bool {
        lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.storeIdentifier == rhs.storeIdentifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(transactionIdentifier)
        hasher.combine(storeIdentifier)
    }
}

extension HistoryChange {
    /// - Returns: `nil` for a model whose class is not known.
    fileprivate init?(_ change: ObjectGraph.HistoryChange, transactionNumber: Int64, _ core: ContainerCore) {
        guard let type = core.modelType(named: change.id.entityName)?.type else { return nil }
        self = Self.made(change, transactionNumber, type, core)
    }

    private static func made<Model: PersistentModel>(
        _ change: ObjectGraph.HistoryChange, _ number: Int64, _ type: Model.Type, _ core: ContainerCore
    ) -> HistoryChange {
        let id = PersistentIdentifier(change.id)
        switch change.kind {
        case .insert:
            return .insert(
                DefaultHistoryInsert<Model>(
                    changeIdentifier: change.number, transactionIdentifier: number, changedPersistentIdentifier: id))
        case .update(let properties):
            return .update(
                DefaultHistoryUpdate<Model>(
                    changeIdentifier: change.number, transactionIdentifier: number, changedPersistentIdentifier: id,
                    updatedAttributes: core.keyPaths(of: properties, Model.self)))
        case .delete(let tombstone):
            return .delete(
                DefaultHistoryDelete<Model>(
                    changeIdentifier: change.number, transactionIdentifier: number, changedPersistentIdentifier: id,
                    tombstone: HistoryTombstone(tombstone)))
        }
    }
}

extension ContainerCore {
    fileprivate func keyPaths<Model: PersistentModel>(
        of changed: ChangedProperties, _ type: Model.Type
    ) -> [any PartialKeyPath<Model> & Sendable] {
        let modelType = ModelType.of(type)
        guard let entity = store.model.entity(named: modelType.entityName) else { return [] }
        return entity.names(of: changed).compactMap { name in
            modelType.property(named: name).flatMap {
                sendable($0.keyPath, as: (any PartialKeyPath<Model> & Sendable).self)
            }
        }
    }
}
