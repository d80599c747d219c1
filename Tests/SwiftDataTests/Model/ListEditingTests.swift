import Foundation
import Observation
import TestSupport
import Testing

@testable import SwiftData

private enum Edited {
    @Model
    final class Box {
        var name: String
        @Relationship(inverse: \Thing.box) var things: [Thing] = []
        @Relationship(inverse: \Label.boxes) var labels: [Label]?
        var codes: [Code] = []

        init(name: String) { self.name = name }
    }

    @Model
    final class Thing {
        var number: Int
        var box: Box?

        init(number: Int, box: Box? = nil) {
            self.number = number
            self.box = box
        }
    }

    @Model
    final class Label {
        var number: Int
        var boxes: [Box] = []

        init(number: Int) { self.number = number }
    }

    struct Code: Codable, Equatable {
        var text: String
    }

    static func container() throws -> ModelContainer {
        try ModelContainer(
            for: Box.self, Thing.self, Label.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
}

/// How a list is edited: in place, or as a copy that is set.
private enum Style {
    case inPlace, byCopy
}

/// The same models in a context of their own, by number.
private final class World {
    let container: ModelContainer
    let context: ModelContext
    let style: Style
    var boxes: [Edited.Box] = []
    var things: [Int: Edited.Thing] = [:]
    var labels: [Int: Edited.Label] = [:]

    init(_ style: Style) throws {
        self.style = style
        container = try Edited.container()
        context = ModelContext(container)
        context.autosaveEnabled = false
        for name in ["a", "b", "c"] {
            let box = Edited.Box(name: name)
            context.insert(box)
            boxes.append(box)
        }
        // One that is in no context until it is linked.
        boxes.append(Edited.Box(name: "loose"))
    }

    func thing(_ number: Int) -> Edited.Thing {
        if let known = things[number] { return known }
        let made = Edited.Thing(number: number)
        things[number] = made
        return made
    }

    func label(_ number: Int) -> Edited.Label {
        if let known = labels[number] { return known }
        let made = Edited.Label(number: number)
        labels[number] = made
        return made
    }

    func edit(_ box: Edited.Box, _ change: (inout [Edited.Thing]) -> Void) {
        switch style {
        case .inPlace: change(&box.things)
        case .byCopy:
            var copy = box.things
            change(&copy)
            box.things = copy
        }
    }

    func editLabels(_ box: Edited.Box, _ change: (inout [Edited.Label]) -> Void) {
        switch style {
        case .inPlace:
            if box.labels == nil { box.labels = [] }
            if box.labels != nil { change(&box.labels!) }
        case .byCopy:
            var copy = box.labels ?? []
            change(&copy)
            box.labels = copy
        }
    }

    /// Every list and every inverse.
    var state: [String] {
        boxes.map { "\($0.name): \($0.things.map(\.number)) \(($0.labels ?? []).map(\.number))" }
            + things.keys.sorted().map { "\($0) in \(things[$0]?.box?.name ?? "-")" }
            + labels.keys.sorted().map { "\($0) at \((labels[$0]?.boxes.map(\.name) ?? []).sorted())" }
    }

    /// The values that another context reads, without orders: both worlds assign keys of their own.
    var stored: [String] {
        get throws {
            let reader = ModelContext(container)
            let boxes = try reader.fetch(FetchDescriptor<Edited.Box>(sortBy: [SortDescriptor(\.name)]))
            return boxes.map {
                "\($0.name): \($0.things.map(\.number).sorted()) \(($0.labels ?? []).map(\.number).sorted())"
            }
        }
    }
}

/// Editing a list in place, which compares and copies no more than it must, compared with setting an edited copy.
@Suite("Lists of models edited in place")
struct ListEditingTests {
    @Test("after any edit of the list, both ends and the store are as after setting an edited copy", arguments: 0..<40)
    func generated(seed: UInt64) throws {
        let (edited, reference) = (try World(.inPlace), try World(.byCopy))
        var random = SeededGenerator(seed: seed)
        for step in 0..<60 {
            let kind = Int.random(in: 0..<21, using: &random)
            let (first, second) = (Int.random(in: 0..<24, using: &random), Int.random(in: 0..<24, using: &random))
            let place = Int.random(in: 0..<4, using: &random)
            for world in [edited, reference] { try apply(kind, first, second, to: world, place) }
            #expect(edited.state == reference.state, "seed \(seed), step \(step), kind \(kind)")
            if edited.state != reference.state { return }
            if kind == 20 { #expect(try edited.stored == reference.stored, "seed \(seed), step \(step)") }
        }
        for world in [edited, reference] { try world.context.save() }
        #expect(try edited.stored == reference.stored, "seed \(seed)")
        try edited.context.graph.checkInvariants()
    }

    private func apply(_ kind: Int, _ first: Int, _ second: Int, to world: World, _ place: Int) throws {
        let box = world.boxes[place]
        switch kind {
        case 0...4: world.edit(box) { $0.append(world.thing(first)) }
        case 5: world.edit(box) { $0.append(contentsOf: [world.thing(first), world.thing(second)]) }
        case 6: world.edit(box) { $0 += [world.thing(first)] }
        case 7: world.edit(box) { $0.insert(world.thing(first), at: $0.count / 2) }
        case 8: world.edit(box) { if !$0.isEmpty { $0.remove(at: first % $0.count) } }
        case 9: world.edit(box) { $0.removeAll { $0.number % 3 == first % 3 } }
        case 10: world.edit(box) { list in if list.count > 1 { list.swapAt(0, list.count - 1) } }
        case 11: world.edit(box) { list in if !list.isEmpty { list[first % list.count] = world.thing(second) } }
        case 12:
            world.edit(box) { list in
                list.append(world.thing(first))
                if list.count > 2 { list.removeFirst() }
                list.append(world.thing(second))
            }
        case 13:
            // Linked from its own end while the list is edited.
            let number = 100 + world.things.count
            world.edit(box) { list in
                let made = Edited.Thing(number: number, box: box)
                world.things[number] = made
                list.append(made)
            }
        case 14: world.thing(first).box = second.isMultiple(of: 2) ? box : nil
        case 15:
            world.edit(box) { list in
                let copy = list
                list = copy.reversed()
            }
        case 16: world.editLabels(box) { $0.append(world.label(first)) }
        case 17: world.editLabels(box) { $0.removeAll { $0.number == first } }
        case 18: world.editLabels(box) { $0.append(contentsOf: [world.label(first), world.label(second)]) }
        case 19:
            if let thing = world.things[first], thing.modelContext != nil {
                world.context.delete(thing)
                world.things[first] = nil
            }
        default: try world.context.save()
        }
    }

    @Test("appending models does not copy the list at every edit")
    func buffer() throws {
        func address(_ list: inout [Edited.Thing]) -> UnsafeRawPointer? {
            list.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
        }
        let context = ModelContext(try Edited.container())
        let box = Edited.Box(name: "a")
        context.insert(box)
        box.things.reserveCapacity(100)
        let start = address(&box.things)
        for number in 0..<50 {
            box.things.append(Edited.Thing(number: number))
            box.things.append(contentsOf: [Edited.Thing(number: 100 + number)])
            #expect(address(&box.things) == start)
        }
        // Linked from the other end, it is added to the list too.
        let last = Edited.Thing(number: 200)
        last.box = box
        #expect(address(&box.things) == start)
        #expect(box.things.count == 101 && box.things.last === last)
        // Any other edit of the list copies it.
        box.things.swapAt(0, 1)
        #expect(address(&box.things) != start)
        try context.save()
        #expect(box.things.count == 101)
    }

    @Test("a program's own copy of the list does not change")
    func copies() throws {
        let context = ModelContext(try Edited.container())
        let box = Edited.Box(name: "a")
        context.insert(box)
        box.things.append(Edited.Thing(number: 1))
        var taken: [Edited.Thing] = []
        func edit(_ list: inout [Edited.Thing]) {
            taken = list
            list.append(Edited.Thing(number: 2))
            taken.append(Edited.Thing(number: 3))
        }
        edit(&box.things)
        box.things.append(Edited.Thing(number: 4))
        #expect(taken.map(\.number) == [1, 3])
        #expect(box.things.map(\.number) == [1, 2, 4])
    }

    @Test("an edit that throws half way keeps the changes made before")
    func throwing() throws {
        let context = ModelContext(try Edited.container())
        let box = Edited.Box(name: "a")
        context.insert(box)
        func edit(_ list: inout [Edited.Thing]) throws {
            list.append(Edited.Thing(number: 1))
            throw CocoaError(.coderInvalidValue)
        }
        #expect(throws: CocoaError.self) { try edit(&box.things) }
        #expect(box.things.map(\.number) == [1])
        #expect(box.things.first?.box === box)
    }

    @Test("two lists can be swapped, and one can be edited within another's edit")
    func nested() throws {
        let context = ModelContext(try Edited.container())
        let (a, b) = (Edited.Box(name: "a"), Edited.Box(name: "b"))
        context.insert(a)
        context.insert(b)
        for number in 0..<3 { a.things.append(Edited.Thing(number: number)) }
        b.things.append(Edited.Thing(number: 9))
        func move(_ from: inout [Edited.Thing], _ to: inout [Edited.Thing]) { to.append(from.removeLast()) }
        move(&a.things, &b.things)
        #expect(a.things.map(\.number) == [0, 1])
        #expect(b.things.map(\.number).sorted() == [2, 9])
        try context.graph.checkInvariants()
    }

    @Test("observers of both ends are notified of an added model")
    func observation() throws {
        let context = ModelContext(try Edited.container())
        let (box, thing) = (Edited.Box(name: "a"), Edited.Thing(number: 1))
        context.insert(box)
        context.insert(thing)
        let seen = Seen()
        withObservationTracking {
            _ = box.things
        } onChange: {
            seen.add("things")
        }
        withObservationTracking {
            _ = thing.box
        } onChange: {
            seen.add("box")
        }
        box.things.append(thing)
        #expect(seen.names.sorted() == ["box", "things"])
    }

    @Test("undo removes added models, and the next edit continues from there")
    func undo() throws {
        let context = ModelContext(try Edited.container())
        let box = Edited.Box(name: "a")
        context.insert(box)
        box.things.append(Edited.Thing(number: 1))
        try context.save()
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        for number in 2...3 {
            manager.beginUndoGrouping()
            box.things.append(Edited.Thing(number: number))
            manager.endUndoGrouping()
        }
        manager.undo()
        #expect(box.things.map(\.number) == [1, 2])
        box.things.append(Edited.Thing(number: 4))
        #expect(box.things.map(\.number) == [1, 2, 4])
        context.rollback()
        #expect(box.things.map(\.number) == [1])
        box.things.append(Edited.Thing(number: 5))
        try context.save()
        #expect(box.things.map(\.number) == [1, 5])
    }

    @Test("another context's members are included after a merge")
    func merge() throws {
        let container = try Edited.container()
        let context = ModelContext(container)
        let box = Edited.Box(name: "a")
        context.insert(box)
        try context.save()
        box.things.append(Edited.Thing(number: 1))
        let other = ModelContext(container)
        let same = try #require(other.model(for: box.persistentModelID) as? Edited.Box)
        same.things.append(Edited.Thing(number: 2))
        try other.save()
        _ = try context.fetch(FetchDescriptor<Edited.Thing>())
        box.things.append(Edited.Thing(number: 3))
        #expect(box.things.map(\.number).sorted() == [1, 2, 3])
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Edited.Thing>()) == 3)
        #expect(box.things.count == 3)
    }

    @Test("a list of values is edited in place as well")
    func values() throws {
        let container = try Edited.container()
        let context = ModelContext(container)
        let box = Edited.Box(name: "a")
        box.codes.append(Edited.Code(text: "1"))
        context.insert(box)
        try context.save()
        box.codes.append(Edited.Code(text: "2"))
        #expect(context.hasChanges)
        try context.save()
        let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Edited.Box>()).first)
        #expect(read.codes == [Edited.Code(text: "1"), Edited.Code(text: "2")])
    }

    @Test("models that were never inserted, and a deleted one, behave as when the list is set")
    func outside() throws {
        let box = Edited.Box(name: "loose")
        box.things.append(Edited.Thing(number: 1))
        box.things.append(Edited.Thing(number: 2))
        #expect(box.things.map(\.number) == [1, 2] && box.things.allSatisfy { $0.box === box })
        let context = ModelContext(try Edited.container())
        context.insert(box)
        #expect(context.insertedModelsArray.count == 3)
        try context.save()
        context.delete(box)
        box.things.append(Edited.Thing(number: 3))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Edited.Thing>()) == 2)
    }
}

private final class Seen: @unchecked Sendable {  // … Used on one thread.
    private(set) var names: [String] = []
    func add(_ name: String) { names.append(name) }
}
