import ObjectGraph
import TestSupport

@testable import SQLiteStore

/// Two graphs over one store that link and unlink the same objects, and the expected links: if both edit the same one, the last
/// save wins; an edit stays until it is saved or reverted.
///
/// A box has items (one-to-many, `item.box` is the key) and marked items (many-to-many); both lists may be ordered.
final class LinkPair {
    private struct Pair: Hashable {
        let box: Int
        let item: Int
    }

    private struct Links: Equatable {
        var keys: [Int: Int] = [:]
        var marks: Set<Pair> = []
    }

    /// Unsaved changes: an item's destination (nil for none), whether a box has marked an item.
    private struct Edits {
        var keys: [Int: Int?] = [:]
        var marks: [Pair: Bool] = [:]

        func applied(to stored: Links) -> Links {
            var links = stored
            for (item, box) in keys { links.keys[item] = box }
            for (pair, isMarked) in marks {
                if isMarked { links.marks.insert(pair) } else { links.marks.remove(pair) }
            }
            return links
        }

        /// An edit equal to the stored value is no edit.
        mutating func forget(_ stored: Links) {
            keys = keys.filter { stored.keys[$0.key] != $0.value }
            marks = marks.filter { stored.marks.contains($0.key) != $0.value }
        }
    }

    private enum List: String, CaseIterable { case items, marked }

    private static let boxes = Array(0..<3)
    private static let items = Array(0..<6)

    private let model: Model
    let store: SQLiteStore
    private let face = TestFace()
    private let graphs: [Graph]
    private let isOrdered: Bool
    private var boxIDs: [ObjectID] = []
    private var itemIDs: [ObjectID] = []
    private var stored = Links()
    private var edits = [Edits(), Edits()]
    private(set) var log: [String] = []
    private(set) var saves = 0

    init(isOrdered: Bool) throws {
        self.isOrdered = isOrdered
        model = try Self.model(isOrdered)
        store = try SQLiteStore(model: model, location: .memory)
        graphs = [Graph(model: model, store: store, face: face), Graph(model: model, store: store, face: face)]
        boxIDs = try insert("Box", Self.boxes.count)
        itemIDs = try insert("Item", Self.items.count)
    }

    private static func model(_ isOrdered: Bool) throws -> Model {
        var box = EntityDescription("Box")
        var item = EntityDescription("Item")
        var items = Relationship("items", to: "Item", .toMany, inverse: "box", deleteRule: .cascade)
        var marked = Relationship("marked", to: "Item", .toMany, inverse: "markers")
        items.isOrdered = isOrdered
        marked.isOrdered = isOrdered
        box.relationships = [items, marked]
        item.relationships = [
            Relationship("box", to: "Box", .toOne, inverse: "items"),
            Relationship("markers", to: "Box", .toMany, inverse: "marked"),
        ]
        return try Model([box, item])
    }

    private func insert(_ name: String, _ count: Int) throws -> [ObjectID] {
        guard let entity = model.entity(named: name) else { throw Difference(text: "no entity \(name)") }
        let members = (0..<count).map { _ in newMember(entity) }
        members.forEach(graphs[0].insert)
        try graphs[0].save()
        return members.map(\.record.id)
    }

    // MARK: Steps

    func step(_ random: inout SeededGenerator) throws {
        let side = random.roll(2)
        switch random.roll(16) {
        case 0..<5: try addOrRemove(side, &random, isAddition: true)
        case 5..<9: try addOrRemove(side, &random, isAddition: false)
        case 9: try move(side, &random)
        case 10: try place(side, &random)
        case 11: try refault(side, &random)
        case 12: rollback(side)
        default: try save(side, &random)
        }
        // Without a check, the graph has more changes to merge later.
        if random.chance(40) { try check() }
    }

    /// Deletes a box, which nullifies its links and changes nothing else.
    func finish(_ random: inout SeededGenerator) throws {
        for side in graphs.indices { try save(side, &random) }
        try check()
        let (side, box) = (random.roll(2), random.roll(Self.boxes.count))
        note("\(side): delete box \(box)")
        try graphs[side].delete([try record(boxIDs[box], side)])
        try graphs[side].save()
        let left = try Graph(model: model, store: store).fetch(Query(entityIndex: entity("Item").index)).map(\.id)
        let expected = Self.items.filter { stored.keys[$0] != box }.map { itemIDs[$0] }
        if left != expected { throw Difference(text: "left are \(left), expected \(expected)") }
    }

    private func visible(_ side: Int) -> Links { edits[side].applied(to: stored) }

    private func addOrRemove(_ side: Int, _ random: inout SeededGenerator, isAddition: Bool) throws {
        let pair = Pair(box: random.roll(Self.boxes.count), item: random.roll(Self.items.count))
        let list: List = random.chance(50) ? .items : .marked
        note("\(side): box \(pair.box).\(list) \(isAddition ? "gains" : "loses") \(pair.item)")
        let (box, item) = (try record(boxIDs[pair.box], side), try record(itemIDs[pair.item], side))
        // From either end of the list that both ends have.
        if list == .marked, random.chance(30) {
            let markers = try relationship("markers", "Item")
            isAddition
                ? graphs[side].add(box, to: markers, of: item) : graphs[side].remove(box, from: markers, of: item)
        } else {
            let members = try relationship(list.rawValue, "Box")
            isAddition
                ? graphs[side].add(item, to: members, of: box) : graphs[side].remove(item, from: members, of: box)
        }
        switch list {
        case .marked: edits[side].marks[pair] = isAddition
        case .items where isAddition: edits[side].keys[pair.item] = .some(pair.box)
        case .items where visible(side).keys[pair.item] == pair.box: edits[side].keys[pair.item] = .some(nil)
        case .items: break
        }
        edits[side].forget(stored)
    }

    private func move(_ side: Int, _ random: inout SeededGenerator) throws {
        let item = random.roll(Self.items.count)
        let box = random.chance(30) ? nil : random.pick(Self.boxes)
        note("\(side): item \(item) into \(box.map(String.init) ?? "none")")
        let destination = try box.map { try record(boxIDs[$0], side) }
        graphs[side].setDestination(
            of: try record(itemIDs[item], side), try relationship("box", "Item"), to: destination)
        edits[side].keys[item] = .some(box)
        edits[side].forget(stored)
    }

    private func place(_ side: Int, _ random: inout SeededGenerator) throws {
        guard isOrdered else { return }
        let (box, list) = (random.roll(Self.boxes.count), random.chance(50) ? List.items : .marked)
        let order = members(list, of: box, visible(side)).shuffled(using: &random)
        note("\(side): box \(box).\(list) = \(order)")
        let (owner, relationship) = (try record(boxIDs[box], side), try relationship(list.rawValue, "Box"))
        graphs[side].setMembers(of: owner, relationship, to: try order.map { try record(itemIDs[$0], side) })
        let found = graphs[side].memberIDs(of: owner, relationship)
        if found != order.map({ itemIDs[$0] }) { throw Difference(text: "the order is \(found)") }
    }

    /// Links with keys are edits of the items, which keep them.
    private func refault(_ side: Int, _ random: inout SeededGenerator) throws {
        let box = random.roll(Self.boxes.count)
        note("\(side): box \(box) as stored")
        graphs[side].refault(try record(boxIDs[box], side))
        edits[side].marks = edits[side].marks.filter { $0.key.box != box }
    }

    private func rollback(_ side: Int) {
        note("\(side): rollback")
        graphs[side].rollback()
        edits[side] = Edits()
    }

    private func save(_ side: Int, _ random: inout SeededGenerator) throws {
        note("\(side): save")
        let saved = try graphs[side].save()
        saves += 1
        stored = visible(side)
        edits[side] = Edits()
        let other = 1 - side
        graphs[other].merge(saved)
        try look(at: edits[other].marks.keys, other, &random)
        edits[other].forget(stored)
        for box in boxIDs {
            let lists = try [graphs[side], Graph(model: model, store: store)].map { try members(in: $0, of: box) }
            if isOrdered, lists[0] != lists[1] {
                throw Difference(text: "saved as \(lists[0]), stored as \(lists[1])")
            }
        }
    }

    /// An edit that another graph saved with the same value ends when one end of the link is read.
    private func readSession(at edited: some Sequence<Pair>, _ side: Int, _ random: inout SeededGenerator) throws {
        for pair in edited.sorted(by: { ($0.box, $0.item) < ($1.box, $1.item) }) {
            if random.chance(50) {
                _ = graphs[side].memberIDs(of: try record(boxIDs[pair.box], side), try relationship("marked", "Box"))
            } else {
                _ = graphs[side].memberIDs(
                    of: try record(itemIDs[pair.item], side), try relationship("markers", "Item"))
            }
        }
    }

    // MARK: Checks

    private func note(_ text: String) { log.append(text) }

    private func check() throws {
        for (side, graph) in graphs.enumerated() {
            try graph.checkInvariants()
            try compare(graph, visible(side), "side \(side)")
        }
        try compare(Graph(model: model, store: store, face: face), stored, "the store")
        if let report = face.reports.first { throw report }
    }

    private func compare(_ graph: Graph, _ links: Links, _ what: String) throws {
        for box in Self.boxes {
            let found = try members(in: graph, of: boxIDs[box]).map { Set($0) }
            let expected = List.allCases.map { Set(members($0, of: box, links).map { itemIDs[$0] }) }
            if found != expected { throw Difference(text: "\(what): box \(box) has \(found), expected \(expected)") }
        }
        for item in Self.items {
            guard let record = graph.record(for: itemIDs[item]) else { throw Difference(text: "\(what): no \(item)") }
            let (box, markers) = (try relationship("box", "Item"), try relationship("markers", "Item"))
            let found = graph.destination(of: record, box)?.id
            let expected = links.keys[item].map { boxIDs[$0] }
            if found != expected {
                throw Difference(text: "\(what): item \(item) is in \(String(describing: found))")
            }
            let marked = Set(graph.memberIDs(of: record, markers))
            let marks = Set(links.marks.filter { $0.item == item }.map { boxIDs[$0.box] })
            if marked != marks { throw Difference(text: "\(what): item \(item) is marked by \(marked)") }
        }
    }

    private func members(_ list: List, of box: Int, _ links: Links) -> [Int] {
        switch list {
        case .items: Self.items.filter { links.keys[$0] == box }
        case .marked: Self.items.filter { links.marks.contains(Pair(box: box, item: $0)) }
        }
    }

    private func members(in graph: Graph, of box: ObjectID) throws -> [[ObjectID]] {
        guard let record = graph.record(for: box) else { throw Difference(text: "no box") }
        return try List.allCases.map { graph.memberIDs(of: record, try relationship($0.rawValue, "Box")) }
    }

    private func record(_ id: ObjectID, _ side: Int) throws -> Record {
        guard let record = graphs[side].record(for: id) else { throw Difference(text: "\(id) is unknown") }
        return record
    }

    private func entity(_ name: String) throws -> Entity {
        guard let entity = model.entity(named: name) else { throw Difference(text: "no entity \(name)") }
        return entity
    }

    private func relationship(_ name: String, _ entityName: String) throws -> EntityRelationship {
        guard let relationship = try entity(entityName).relationship(named: name) else {
            throw Difference(text: "no relationship \(name)")
        }
        return relationship
    }
}
