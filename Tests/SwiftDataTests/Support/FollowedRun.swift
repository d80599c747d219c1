import Foundation
import TestSupport

@testable import SwiftData

@Model
final class Port {
    var name: String
    @Relationship(inverse: \Ship.port) var ships: [Ship] = []

    init(_ name: String) { self.name = name }
}

@Model
final class Ship {
    var name: String
    var tons: Int
    var flag: String?
    var note = ""
    var port: Port?

    init(_ name: String, tons: Int, flag: String?, port: Port?) {
        self.name = name
        self.tons = tons
        self.flag = flag
        self.port = port
    }
}

/// Random changes of ships and ports by two contexts, of which the first one has observers.
final class FollowedRun {
    let container: ModelContainer
    let context: ModelContext
    let other: ModelContext
    private var random: SeededGenerator
    private var lastName = 0
    private(set) var log: [String] = []

    init(seed: UInt64, in container: ModelContainer) throws {
        random = SeededGenerator(seed: seed)
        self.container = container
        context = ModelContext(container)
        other = ModelContext(container)
        for name in ["Ajaccio", "Bari", "Cork"] { context.insert(Port(name)) }
        try context.save()
        for _ in 0..<12 { try insert(context) }
        try context.save()
    }

    func chance(_ percent: Int) -> Bool { random.chance(percent) }

    func step() throws {
        let context = random.chance(30) ? other : self.context
        let name = context === other ? "other" : "own"
        switch random.roll(12) {
        case 0, 1: try insert(context)
        case 2, 3, 4:
            for ship in try some(context) { edit(ship) }
        case 5:
            for ship in try some(context) { context.delete(ship) }
            note(name, "delete")
        case 6:
            let limit = random.roll(4)
            try context.delete(model: Ship.self, where: #Predicate { $0.tons < limit })
            note(name, "delete below \(limit)")
        case 7:
            context.rollback()
            note(name, "rollback")
        case 8:
            guard let port = random.pick(try context.fetch(FetchDescriptor<Port>(sortBy: [SortDescriptor(\.name)])))
            else { return }
            port.name = random.pick(["Ajaccio", "Bari", "Cork", "Dover"]) ?? ""
            note(name, "rename a port")
        default: save(context)
        }
    }

    /// A save that fails because of the other context's changes is given up.
    private func save(_ context: ModelContext) {
        do {
            try context.save()
            note(context === other ? "other" : "own", "save")
        } catch {
            context.rollback()
            note(context === other ? "other" : "own", "refused: \(error)")
        }
    }

    private func note(_ context: String, _ text: String) { log.append("\(context): \(text)") }

    private func some(_ context: ModelContext) throws -> [Ship] {
        random.some(try context.fetch(FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.name)])), atMost: 3)
    }

    private func insert(_ context: ModelContext) throws {
        lastName += 1
        let ports = try context.fetch(FetchDescriptor<Port>(sortBy: [SortDescriptor(\.name)]))
        let port = random.chance(70) ? random.pick(ports) : nil
        context.insert(Ship("ship \(lastName)", tons: random.roll(20), flag: flag(), port: port))
        note("\(context === other)", "insert \(lastName)")
    }

    private func flag() -> String? { random.pick(["FR", "IT", "IE", ""]).flatMap { random.chance(20) ? nil : $0 } }

    private func edit(_ ship: Ship) {
        note(ship.modelContext === other ? "other" : "own", "edit \(ship.name)")
        switch random.roll(5) {
        case 0: ship.tons = random.roll(20)
        case 1: ship.flag = flag()
        case 2: ship.note = "note \(random.roll(100))"
        case 3:
            ship.port =
                random.chance(30) ? nil : ship.modelContext.flatMap { try? $0.fetch(FetchDescriptor<Port>()).first }
        default: ship.name += "a"
        }
    }
}
