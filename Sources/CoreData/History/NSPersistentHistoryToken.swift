import Foundation
import ObjectGraph

/// A position in the history of one or several stores, from which reading can continue. It can be archived and used in a later
/// run of the program.
nonisolated open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // A constant.
    final package let token: HistoryToken

    init(_ token: HistoryToken) {
        self.token = token
    }

    /// Returns the token itself, which is constant.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether another token has the same position in the same stores.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.token == token
    }

    /// A hash of the positions.
    open override var hash: Int { token.hashValue }

    /// A text with the stores and positions.
    open override var description: String {
        "<NSPersistentHistoryToken: \(token.numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })>"
    }

    /// A Boolean value that states whether tokens support secure coding: `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Unarchives a token.
    /// - Returns: `nil` for an archive of something else.
    public required init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: "numbers"),
            let token = try? JSONDecoder().decode(HistoryToken.self, from: Data(referencing: data))
        else { return nil }
        self.token = token
    }

    /// Archives the token.
    open func encode(with coder: NSCoder) {
        guard let data = try? JSONEncoder().encode(token) else { return }
        coder.encode(NSData(data: data), forKey: "numbers")
    }
}

extension NSPersistentStore {
    /// The newest position in the store's history; `nil` for a store without one.
    final package func historyToken() -> NSPersistentHistoryToken? {
        guard isOn(NSPersistentHistoryTrackingKey) else { return nil }
        do {
            return try engine?.historyRecording?.historyToken().map(NSPersistentHistoryToken.init)
        } catch {
            CoreDataLog.logger.error("The history's end could not be read. \(String(describing: error))")
            return nil
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// Returns the newest position in the history of stores.
    /// - Parameter stores: `NSPersistentStore` objects of the coordinator; `nil` for all.
    /// - Returns: `nil` if none of them keeps a history.
    public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        let wanted = (stores?.compactMap { $0 as? NSPersistentStore }) ?? persistentStores
        let tokens = wanted.compactMap { $0.historyToken()?.token }
        guard let first = tokens.first else { return nil }
        return NSPersistentHistoryToken(tokens.dropFirst().reduce(first) { $0.merged(with: $1) })
    }

    /// The newest position after a save; `nil` if the save wrote nothing.
    final func historyToken(ifTracking changes: SavedChanges) -> NSPersistentHistoryToken? {
        changes.isEmpty ? nil : currentPersistentHistoryToken(fromStores: nil)
    }
}
