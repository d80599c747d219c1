import Foundation
import ObjectGraph

/// A place in the history of one or several stores, to read on from. May be kept across launches.
nonisolated open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // A constant.
    final package let token: HistoryToken

    init(_ token: HistoryToken) {
        self.token = token
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.token == token
    }

    open override var hash: Int { token.hashValue }

    open override var description: String {
        "<NSPersistentHistoryToken: \(token.numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })>"
    }

    public static var supportsSecureCoding: Bool { true }

    /// - Returns: `nil` for an archive of something else.
    public required init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: "numbers"),
            let token = try? JSONDecoder().decode(HistoryToken.self, from: Data(referencing: data))
        else { return nil }
        self.token = token
    }

    open func encode(with coder: NSCoder) {
        guard let data = try? JSONEncoder().encode(token) else { return }
        coder.encode(NSData(data: data), forKey: "numbers")
    }
}

extension NSPersistentStore {
    /// The newest place in the store's history; `nil` for a store without one.
    final package func historyToken() -> NSPersistentHistoryToken? {
        guard isOn(NSPersistentHistoryTrackingKey) else { return nil }
        do {
            return try engine?.historyKeeping?.historyToken().map(NSPersistentHistoryToken.init)
        } catch {
            CoreDataLog.logger.error("The history's end could not be read. \(String(describing: error))")
            return nil
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// The newest place in the history of the stores; `nil` when none keeps one.
    /// - Parameter stores: `nil` for all.
    public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        let wanted = (stores?.compactMap { $0 as? NSPersistentStore }) ?? persistentStores
        let tokens = wanted.compactMap { $0.historyToken()?.token }
        guard let first = tokens.first else { return nil }
        return NSPersistentHistoryToken(tokens.dropFirst().reduce(first) { $0.merged(with: $1) })
    }

    /// The same, for a save that did something.
    final func historyToken(ifTracking changes: SavedChanges) -> NSPersistentHistoryToken? {
        changes.isEmpty ? nil : currentPersistentHistoryToken(fromStores: nil)
    }
}
