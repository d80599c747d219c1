@testable import ObjectGraph
@testable import SwiftData

/// All models that a context sees after a fetch of all.
struct ContextContents {
    /// One line for each model, by its identity.
    private(set) var models: [ObjectID: String] = [:]
    private let records: [Record]
    private let graph: Graph

    init(_ context: ModelContext) throws {
        func fetch<T: Tagged>(_ type: T.Type) throws -> [any Tagged] { try context.fetch(FetchDescriptor<T>()) }
        let found = try OrganisationModels.roots.flatMap { try fetch($0) }
        graph = context.graph
        records = found.map(\.record)
        for record in records { models[record.id] = line(record) }
    }

    private func line(_ record: Record) -> String {
        let values = record.entity.attributes.flatMap(\.slots).map { "\(record.value($0))" }
        let links = record.entity.relationships.map { relationship in
            "\(relationship.name)=\(graph.destinations(of: record, relationship).map(\.id.key).sorted())"
        }
        return (values + links).joined(separator: " ")
    }

    func difference(from other: ContextContents) -> String? {
        for id in Set(models.keys).union(other.models.keys).sorted() where models[id] != other.models[id] {
            return "\(id) is \(models[id] ?? "missing"), and not \(other.models[id] ?? "missing")"
        }
        return nil
    }

    /// - Throws: `FailedCheck` for a destination that does not refer back.
    func checkInverses(_ place: Int) throws {
        for record in records {
            for relationship in record.entity.relationships {
                for destination in graph.destinations(of: record, relationship) {
                    guard let inverse = graph.inverse(of: relationship, on: destination) else { continue }
                    if graph.destinations(of: destination, inverse).contains(where: { $0 === record }) { continue }
                    throw FailedCheck(
                        kind: .inverses,
                        text: "context \(place): '\(relationship.name)' of \(record.id) has \(destination.id), "
                            + "which does not reference it")
                }
            }
        }
    }
}
