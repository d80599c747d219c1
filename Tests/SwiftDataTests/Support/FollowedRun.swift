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

/// Random changes of ships and ports by two contexts, of which the first one has observers, and by one of another container.
final class FollowedRun {
    let container: ModelContainer
    let context: ModelContext
    let other: ModelContext
    /// Of a container on the same file, like another process.
    private let remote: ModelContext?
    private var tokens: [DeletionToken] = []
    private var random: SeededGenerator
    private var lastName = 0
    private(set) var log: [String] = []

    /// - Parameter neighbour: Another container on the file. There are then undo, plans that are archived, and restores, too.
    init(seed: UInt64, in container: ModelContainer, beside neighbour: ModelContainer? = nil) throws {
        random = SeededGenerator(seed: seed)
        self.container = container
        context = ModelContext(container)
        other = ModelContext(container)
        remote = neighbour.map { ModelContext($0) }
        if remote != nil { context.undoManager = UndoManager() }
        for name in ["Ajaccio", "Bari", "Cork"] { context.insert(Port(name)) }
        try context.save()
        for _ in 0..<12 { try insert(context) }
        try context.save()
    }

    func chance(_ percent: Int) -> Bool { random.chance(percent) }

    func step() throws {
        let context = random.chance(30) ? random.pick([other, remote ?? other]) ?? other : self.context
        let name = name(context)
        if remote != nil, random.chance(20) { return try stepInStore(context, name) }
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

    private func name(_ context: ModelContext) -> String {
        context === self.context ? "own" : context === other ? "other" : "remote"
    }

    /// Deletes and restores rows without the models of a context, and undoes unsaved changes.
    private func stepInStore(_ context: ModelContext, _ name: String) throws {
        switch random.roll(3) {
        case 0:
            let ids = try some(context).map(\.persistentModelID).filter { $0.storeIdentifier != nil }
            let plan = try context.deletionPlan(for: ids)
            guard plan.isPossible else { return }
            if let token = try plan.executeAndArchive() { tokens.append(token) }
            note(name, "execute a plan for \(ids.count)")
        case 1:
            guard !tokens.isEmpty else { return }
            let token = tokens.remove(at: random.roll(tokens.count))
            note(name, "restore \(try context.container.restoreSkippingConflicts(token).count)")
        default:
            guard let manager = context.undoManager else { return }
            let isUndo = random.chance(60)
            if isUndo ? manager.canUndo : manager.canRedo { isUndo ? manager.undo() : manager.redo() }
            note(name, "undo or redo")
        }
    }

    /// A save that fails because of the other context's changes is given up.
    private func save(_ context: ModelContext) {
        do {
            try context.save()
            note(name(context), "save")
        } catch {
            context.rollback()
            note(name(context), "refused: \(error)")
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
        note(name(context), "insert \(lastName)")
    }

    private func flag() -> String? { random.pick(["FR", "IT", "IE", ""]).flatMap { random.chance(20) ? nil : $0 } }

    private func edit(_ ship: Ship) {
        note(ship.modelContext.map(name) ?? "no context", "edit \(ship.name)")
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

/// Passes two containers of ships and ports on one file to the body.
func withTwoContainers(_ body: ([ModelContainer]) throws -> Void) throws {
    try withTemporaryFolder { folder in
        let configuration = ModelConfiguration(url: folder.appendingPathComponent("ships.store"))
        try body((0..<2).map { _ in try ModelContainer(for: Port.self, Ship.self, configurations: configuration) })
    }
}
