import ArgumentParser
import HandWritten

/// A piece of work that is done by hand and by the library.
enum Workload: String, CaseIterable, ExpressibleByArgument, Codable {
    case insert
    case fetch
    case byIdentifier = "by-identifier"
    case filtered
    case update
    case delete
    case deleteGraph = "delete-graph"
    case make
    case hold

    var title: String {
        switch self {
        case .insert: "insert N models and save"
        case .fetch: "fetch N models, read six properties of each"
        case .byIdentifier: "1,000 of N by identifier, each its own fault"
        case .filtered: "filtered and sorted fetch (one in eight of N)"
        case .update: "update half of N through models and save"
        case .delete: "delete half of N object by object and save"
        case .deleteGraph: "the same with visits and tags: half of the categories, by rule"
        case .make: "make N instances, not inserted"
        case .hold: "hold N fetched models"
        }
    }

    /// Largest acceptable ratio to the work by hand, and the target ratio. For `hold`, bytes a model. Deletes include their rules.
    var target: (must: Double, aim: Double)? {
        switch self {
        case .insert: (3, 2)
        case .fetch: (2.5, 1.8)
        case .byIdentifier: (3, 1.5)
        case .filtered, .delete: nil
        case .update: (3, 2)
        case .deleteGraph: (1, 0.6)
        case .make: (3, 1.5)
        case .hold: (400, 250)
        }
    }

    /// The variants of the work. The others are compared with the first.
    var variants: [Variant] {
        switch self {
        case .insert, .delete, .deleteGraph: [.byHand, .byHandWithHistory, .library, .libraryWithHistory]
        case .update: [.byHand, .byHandWithHistory, .byHandAsSet, .library, .libraryWithHistory]
        case .fetch, .byIdentifier, .filtered, .hold: [.byHand, .library]
        case .make: [.plainClass, .library]
        }
    }

    /// The initial store; `nil` for work without one.
    var fixture: Fixture? {
        switch self {
        case .insert: .categories
        case .fetch, .byIdentifier, .filtered, .update, .deleteGraph, .hold: .graph
        case .delete: .animals
        case .make: nil
        }
    }

    var writes: Bool {
        switch self {
        case .insert, .update, .delete, .deleteGraph: true
        case .fetch, .byIdentifier, .filtered, .make, .hold: false
        }
    }

    var byHand: hw_work {
        switch self {
        case .insert: HW_INSERT
        case .fetch, .hold, .make: HW_FETCH
        case .byIdentifier: HW_BY_IDENTIFIER
        case .filtered: HW_FILTERED
        case .update: HW_UPDATE
        case .delete: HW_DELETE
        case .deleteGraph: HW_DELETE_GRAPH
        }
    }
}

/// A variant of a workload.
enum Variant: String, CaseIterable, ExpressibleByArgument, Codable {
    /// The SQLite C API alone; no history.
    case byHand = "by-hand"
    /// The same, with a row of history for each changed row.
    case byHandWithHistory = "by-hand-history"
    /// One statement for all rows, without objects.
    case byHandAsSet = "by-hand-set"
    case plainClass = "plain-class"
    /// On a file without history.
    case library
    /// On a file with history, as the library makes them.
    case libraryWithHistory = "library-history"
}
