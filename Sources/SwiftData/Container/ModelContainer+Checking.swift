import Foundation
import ObjectGraph
import StoreDeletion

/// A defect found in a store's file. It has the place and the number of cases, never values of models.
public struct StoreProblem: Sendable, Hashable, CustomStringConvertible {
    /// How serious a problem is, from `note` to `error`.
    public enum Severity: Sendable, Hashable, Comparable {
        /// The delete rules allow this state, so it may be legitimate.
        case note
        /// The defect does no harm yet.
        case warning
        /// The file has a defect.
        case error
    }

    /// How serious the problem is.
    public let severity: Severity
    /// The class that declares the property, or whose models are concerned; `nil` for a problem of the whole file.
    public let entityName: String?
    /// The property concerned; `nil` for a problem of whole models or of the whole file.
    public let propertyName: String?
    /// The number of models, links or files concerned.
    public let count: Int
    /// Some of the models concerned.
    public let examples: [PersistentIdentifier]
    /// One line with the problem and its examples.
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

/// The plan of a repair, complete before anything is changed.
public struct StoreRepair: Sendable, CustomStringConvertible {
    /// The changes that the repair would make, one line for each kind of change to one property. Deleted models are listed
    /// with the delete rule that reaches them.
    public var steps: [String] { parts.flatMap(\.stepTexts) }
    /// The problems that would remain, one line each, with the reason.
    public var unrepairable: [String] { parts.flatMap(\.unrepairableTexts) }
    /// Whether the repair would change nothing.
    public var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }
    /// The steps and the problems that would remain, for people.
    public var description: String { parts.map(\.description).joined(separator: "\n") }

    fileprivate let core: ContainerCore
    /// One for each store that can be checked.
    fileprivate let parts: [any PlannedRepair]

    /// Carries out the plan, in one transaction for each store. Live contexts merge the changes as they merge those of
    /// other processes.
    /// - Throws: `DeletionError.storeChanged` if a store has changed since the plan was made, or an error of writing. That
    ///   store and those after it are then unchanged.
    public func execute() throws {
        do {
            for part in parts { try part.execute() }
        } catch StoreRepairError.outdatedPlan {
            throw DeletionError.storeChanged
        } catch {
            throw ErrorMapping.saving(error)
        }
        core.noticeOthers()
    }
}

extension ModelContainer {
    /// Checks the files of all stores: references to missing rows, inverses set at one end only, join rows without an end,
    /// models without required values or members, counters, order keys, files of large values, and damage. Nothing is
    /// changed.
    /// - Returns: The problems found.
    /// - Throws: An error of reading.
    /// - Complexity: Every table is read a few times.
    public func check() throws -> [StoreProblem] {
        try core.stores.compactMap(\.checking).flatMap { try $0.check().map(StoreProblem.init) }
    }

    /// Plans a repair by the model's rules. Nothing is changed until `StoreRepair.execute()`.
    /// - Returns: The plan.
    /// - Throws: An error of reading.
    /// - Complexity: Every table is read a few times.
    public func repair() throws -> StoreRepair {
        StoreRepair(core: core, parts: try core.stores.compactMap(\.checking).map { try $0.plannedRepair() })
    }
}
