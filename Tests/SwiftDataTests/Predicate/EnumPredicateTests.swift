import Foundation
import Testing

@testable import SwiftData

private enum JobUrgency: String, Codable { case low, high }
private enum JobStage: Codable { case open, active, done }
private enum JobNote: Codable, Equatable {
    case none
    case tagged(String)
}

@Model private final class Job {
    var name: String
    var urgency: JobUrgency
    var wish: JobUrgency?
    var stage: JobStage
    var note: JobNote

    init(_ name: String, _ urgency: JobUrgency, wish: JobUrgency? = nil, _ stage: JobStage, _ note: JobNote = .none) {
        self.name = name
        self.urgency = urgency
        self.wish = wish
        self.stage = stage
        self.note = note
    }
}

/// Cases of enums are written in predicates as they are elsewhere.
@Suite struct EnumPredicateTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(
            try ModelContainer(for: Job.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        context.insert(Job("a", .low, .open))
        context.insert(Job("b", .high, wish: .high, .active, .tagged("x")))
        context.insert(Job("c", .high, wish: .low, .done, .tagged("y")))
        try context.save()
    }

    private enum Judge { case store, memory }

    private func check(
        _ predicate: Predicate<Job>, _ names: [String], by judge: Judge = .store,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let jobs = FetchDescriptor<Job>(predicate: predicate, sortBy: [SortDescriptor(\.name)])
        #expect(try context.fetch(jobs).map(\.name) == names, sourceLocation: location)
        let all = try context.fetch(FetchDescriptor<Job>(sortBy: [SortDescriptor(\.name)]))
        #expect(try all.filter { try predicate.evaluate($0) }.map(\.name) == names, sourceLocation: location)
        let query = try? PredicateTranslator.translate(predicate, model: context.container.store.model)
        #expect((query != nil) == (judge == .store), sourceLocation: location)
    }

    @Test("with a leading dot")
    func implicit() throws {
        try check(#Predicate { $0.urgency == .high }, ["b", "c"])
        try check(#Predicate { $0.urgency != .high && $0.stage == .open }, ["a"])
        try check(#Predicate { $0.stage == .active || $0.stage == .done }, ["b", "c"])
        try check(#Predicate { .done == $0.stage }, ["c"])
        try check(#Predicate { $0.wish == .high }, ["b"])
        try check(#Predicate { $0.wish != .high }, ["a", "c"])
        try check(#Predicate { ($0.wish ?? .high) == .high }, ["a", "b"])
        try check(#Predicate { [.open, .done].contains($0.stage) }, ["a", "c"])
        try check(#Predicate { ($0.urgency == .high ? $0.stage : .active) == .active }, ["a", "b"])
        try check(#Predicate { if let wish = $0.wish { wish == .low } else { $0.stage == .open } }, ["a", "c"])
    }

    @Test("with the type's name")
    func named() throws {
        try check(#Predicate { $0.urgency == JobUrgency.high }, ["b", "c"])
        try check(#Predicate { $0.stage == JobStage.done }, ["c"])
        try check(#Predicate { $0.wish == JobUrgency.low }, ["c"])
        try check(#Predicate { $0.urgency.rawValue == JobUrgency.low.rawValue }, ["a"])
        try check(#Predicate { [JobStage.open, .active].contains($0.stage) }, ["a", "b"])
    }

    @Test("with payloads, which are evaluated in memory")
    func values() throws {
        try check(#Predicate { $0.note == .tagged("x") }, ["b"], by: .memory)
        try check(#Predicate { $0.note == JobNote.tagged("y") && $0.urgency == .high }, ["c"], by: .memory)
    }
}
