import Foundation
import ObjectGraph
import SQLiteStore
import StoreDeletion

/// Something in a store's file that should not be so. It tells where and how much, never what a model holds.
public struct StoreProblem: Sendable, Hashable, CustomStringConvertible {
    public enum Severity: Sendable, Hashable, Comparable {
        /// The delete rules allow it: it may have come about rightly.
        case note
        /// Does no harm yet.
        case warning
        case error
    }

    public let severity: Severity
    /// The class that declares the property, or whose models are meant; `nil` for what concerns the whole file.
    public let entityName: String?
    public let propertyName: String?
    /// How many models, links or files there are.
    public let count: Int
    /// Some of the models.
    public let examples: [PersistentIdentifier]
    /// One line, with examples.
    public let description: String

    init(_ finding: StoreFinding) {
        severity =
            switch finding.severity {
            case .note: .note
            case .warning: .warning
            case .error: .error
            }
        entityName = finding.entity
        propertyName = finding.property
        count = finding.count
        examples = finding.examples.map(PersistentIdentifier.init)
        description = finding.description
    }
}

/// What a repair would do, complete before anything is done.
public struct StoreRepair: Sendable, CustomStringConvertible {
    /// What it would do, one line for each kind of change to one property. Models that go are told with the rule that
    /// takes them.
    public var steps: [String] { parts.flatMap { $0.plan.steps.map(\.description) } }
    /// What is wrong and would stay so, one line each, with the reason.
    public var unrepairable: [String] { parts.flatMap { $0.plan.unrepairable.map(\.description) } }
    public var isEmpty: Bool { parts.allSatisfy(\.plan.isEmpty) }
    public var description: String { parts.map(\.plan.description).joined(separator: "\n") }

    fileprivate struct Part: Sendable {
        let store: SQLiteStore
        let plan: StoreRepairPlan
    }

    fileprivate let core: ContainerCore
    fileprivate let parts: [Part]

    /// Does exactly that, one transaction for each store. Live contexts learn of it as of what another process saves.
    /// - Throws: `DeletionError.storeChanged` where a store is no longer as it was planned for, and what writing throws; then
    ///   that store and those after it are as they were.
    public func execute() throws {
        do {
            for part in parts { _ = try part.store.repair(part.plan) }
        } catch StoreRepairError.outdatedPlan {
            throw DeletionError.storeChanged
        } catch {
            throw ErrorMapping.saving(error)
        }
        core.noticeOthers()
    }
}

extension ModelContainer {
    /// Looks through the files of all stores for what should not be so: references that lead nowhere, inverses set at one
    /// end only, join rows without an end, models without what they must have, counters, order keys, files of large
    /// values, and damage. Nothing is changed.
    /// - Throws: What reading throws.
    /// - Complexity: Every table is read a few times.
    public func check() throws -> [StoreProblem] {
        try core.sqliteStores.flatMap { try $0.check().map(StoreProblem.init) }
    }

    /// What a repair by the model's rules would do now. Nothing is changed.
    /// - Throws: What reading throws.
    public func repair() throws -> StoreRepair {
        let parts = try core.sqliteStores.map { StoreRepair.Part(store: $0, plan: try $0.repairPlan()) }
        return StoreRepair(core: core, parts: parts)
    }
}
