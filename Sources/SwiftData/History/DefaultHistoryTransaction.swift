import Foundation
import ObjectGraph

/// One save of a store in a file or in memory, as the history records it.
public struct DefaultHistoryTransaction: HistoryTransaction {
    /// The type of positions in the history.
    public typealias TokenType = DefaultHistoryToken
    /// The type of transaction numbers.
    public typealias TransactionIdentifier = Int64

    /// The number of the transaction.
    public var id: Int64 { transactionIdentifier }
    /// The time of the save, by the clock of the machine that saved.
    public let timestamp: Date
    /// The changes to models of classes in the schema, in the order in which they were made.
    public let changes: [HistoryChange]
    /// The position after this transaction, from which later ones can be fetched.
    public let token: DefaultHistoryToken
    /// The number of the transaction, which rises from transaction to transaction within a store.
    public let transactionIdentifier: Int64
    /// The identifier of the store that was saved.
    public let storeIdentifier: String
    /// The bundle identifier of the program that saved; empty if the file does not record it.
    public let bundleIdentifier: String
    /// The name of the process that saved; empty if the file does not record it.
    public let processIdentifier: String
    /// The author of the context that saved; `nil` if it had none.
    public let author: String?

    /// - Parameter token: The position from which to read on after this transaction.
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

    /// Returns whether two transactions have the same store and number.
    public static func == (lhs: DefaultHistoryTransaction, rhs: DefaultHistoryTransaction) -> Bool {
        lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.storeIdentifier == rhs.storeIdentifier
    }

    /// Hashes the transaction by its store and number.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(transactionIdentifier)
        hasher.combine(storeIdentifier)
    }
}

extension HistoryChange {
    /// - Returns: `nil` for a model whose class is not in the schema.
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
