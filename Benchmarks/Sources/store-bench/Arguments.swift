import BenchmarkSupport
import Foundation
import HandWritten

/// The arguments of the protocol on the command line: `store-bench DB WORKLOAD N [key=value ...]`.
struct Arguments {
    let path: String
    let workload: Workload
    let count: Int
    private let values: [String: String]

    /// - Throws: `ArgumentsError`.
    init(_ arguments: [String]) throws {
        guard arguments.count >= 4, let count = Int(arguments[3]), count > 0 else { throw ArgumentsError.usage }
        guard let workload = Workload(rawValue: arguments[2]) else { throw ArgumentsError.workload(arguments[2]) }
        path = arguments[1]
        self.workload = workload
        self.count = count
        values = Dictionary(
            arguments.dropFirst(4).map { argument in
                let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
                return (parts[0], parts.count > 1 ? parts[1] : "")
            }, uniquingKeysWith: { _, last in last })
    }

    /// The way of a delete by rule: `mode=` of the command line.
    var mode: DeleteMode { values["mode"].flatMap(DeleteMode.init) ?? .save }

    /// Whether the work uses requests of the Core Data face: `face=coredata`. With models, by default.
    var isManaged: Bool { values["face"] == "coredata" }

    /// The source of the rows of a batch insert: `style=` of the command line.
    var insertion: InsertionStyle { values["style"].flatMap(InsertionStyle.init) ?? .objects }

    /// Whether new animals are appended to their category's list, one by one, instead of being given the category: `link=append` of
    /// the command line.
    var appends: Bool { values["link"] == "append" }

    /// Whether the requests return the identifiers of rows: unless `ids=0`.
    var returnsIdentifiers: Bool { values["ids"] != "0" }

    /// The number of models of another context, which merges the deletes: `merge=` of the command line.
    var heldCount: Int { values["merge"].flatMap(Int.init) ?? 0 }

    /// Whether the library keeps history, as no other program of the comparison does. Off unless `history=on`.
    var history: hw_history { values["history"] == "on" ? HW_WITH_HISTORY : HW_WITHOUT_HISTORY }

    /// Categories with a name below this one are deleted.
    var threshold: String {
        CategoryThreshold.below(count) { categories in
            switch values["frac"] ?? "half" {
            case "all": categories
            case "half": categories / 2
            case "pct10": categories / 10
            case "pct1": (categories + 99) / 100
            default: 1
            }
        }
    }
}

enum DeleteMode: String {
    /// By a context, with a save.
    case save
    /// By executing a plan.
    case execute
    /// The plan only; nothing is deleted.
    case plan
    /// By a plan, with an archive.
    case recoverable
    /// Only the merge into the other context; the delete is done before.
    case merge
}

enum InsertionStyle: String {
    /// A list of dictionaries.
    case objects
    /// A handler that fills a dictionary.
    case dictionary
    /// A handler that fills an object.
    case managedObject = "object"
}

enum ArgumentsError: Error, CustomStringConvertible {
    case usage
    case workload(String)
    case noRequest(String)

    var description: String {
        switch self {
        case .usage: "usage: store-bench DB WORKLOAD N [key=value ...]"
        case .workload(let name):
            "unknown workload \(name); there are \(Workload.allCases.map(\.rawValue).joined(separator: ", "))"
        case .noRequest(let name): "the Core Data face has no request for \(name)"
        }
    }
}

/// The workloads of the protocol that the library supports.
enum Workload: String, CaseIterable {
    case insert
    case deleteAll = "delete-all"
    case deleteHalf = "delete-half"
    case cascade
    case nullify
    case updateHalf = "update-half"
    case fetchRows = "fetch-rows"
    case fetchObjects = "fetch-objects"
    case fetchByIdentifier = "fetch-by-id"
    case objectDelete = "object-delete"
}
