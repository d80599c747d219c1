import Foundation
import Testing

@testable import SwiftData

private enum Urgency: String, Codable { case low, high }
private enum Stage: Codable { case open, active, done }
private enum Note: Codable, Equatable {
    case none
    case tagged(String)
}

@Model private final class Job {
    var name: String
    var urgency: Urgency
    var wish: Urgency?
    var stage: Stage
    var note: Note

    init(_ name: String, _ urgency: Urgency, wish: Urgency? = nil, _ stage: Stage, _ note: Note = .none) {
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
        try check(#Predicate { $0.urgency == Urgency.high }, ["b", "c"])
        try check(#Predicate { $0.stage == Stage.done }, ["c"])
        try check(#Predicate { $0.wish == Urgency.low }, ["c"])
        try check(#Predicate { $0.urgency.rawValue == Urgency.low.rawValue }, ["a"])
        try check(#Predicate { [Stage.open, .active].contains($0.stage) }, ["a", "b"])
    }

    @Test("with values, which memory judges")
    func values() throws {
        try check(#Predicate { $0.note == .tagged("x") }, ["b"], by: .memory)
        try check(#Predicate { $0.note == Note.tagged("y") && $0.urgency == .high }, ["c"], by: .memory)
    }
}
