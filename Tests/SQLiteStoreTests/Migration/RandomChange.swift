import Foundation
import ObjectGraph
import TestSupport

/// A model change that can be migrated, and its effect on rows, computed without a file.
struct RandomChange {
    private(set) var descriptions: [EntityDescription]
    private(set) var expected: LogicalRows
    private(set) var steps: [String] = []
    /// Properties and entities are changed once at most, as a mapping sees only the beginning and the end.
    private var touched: Set<String> = []
    private var number = 0

    init(_ descriptions: [EntityDescription], _ rows: LogicalRows) {
        self.descriptions = descriptions
        expected = rows
    }

    mutating func change(_ random: inout SeededGenerator) {
        let kinds: [(inout RandomChange, inout SeededGenerator) -> Void] = [
            { $0.addAttribute(&$1) }, { $0.addAttribute(&$1) }, { $0.removeAttribute(&$1) },
            { $0.renameAttribute(&$1) }, { $0.demandAttribute(&$1) }, { $0.widen(&$1) }, { $0.flipStorage(&$1) },
            { $0.renameEntity(&$1) }, { $0.addEntity(&$1) }, { $0.removeEntity(&$1) }, { $0.addParent(&$1) },
            { $0.moveUp(&$1) }, { $0.removeRelationship(&$1) }, { $0.renameRelationship(&$1) },
            { $0.toMany(&$1) }, { $0.order(&$1) }, { $0.addRelationship(&$1) }, { $0.addIndex(&$1) },
        ]
        kinds[random.roll(kinds.count)](&self, &random)
    }

    private mutating func name(_ prefix: String) -> String {
        number += 1
        return "\(prefix)\(number)"
    }

    // MARK: The model

    private func position(_ name: String) -> Int? { descriptions.firstIndex { $0.name == name } }

    /// The entity and its subentities, by name.
    private func family(_ name: String) -> [String] {
        [name] + descriptions.filter { $0.superentityName == name }.flatMap { family($0.name) }
    }

    /// The entity and its superentities, by name.
    private func lineage(_ name: String) -> [String] {
        [name] + (position(name).flatMap { descriptions[$0].superentityName }.map(lineage) ?? [])
    }

    private mutating func claim(_ parts: String...) -> Bool {
        guard touched.isDisjoint(with: parts) else { return false }
        touched.formUnion(parts)
        return true
    }

    private mutating func eachRow(_ entity: String, _ body: (inout LogicalRows.Row) -> Void) {
        for name in family(entity) {
            for key in (expected.rows[name] ?? [:]).keys { body(&expected.rows[name, default: [:]][key, default: [:]]) }
        }
    }

    private func randomAttribute(
        _ random: inout SeededGenerator, _ fits: (Attribute) -> Bool = { _ in true }
    ) -> (entity: Int, attribute: Int)? {
        let places = descriptions.indices.flatMap { entity in
            descriptions[entity].attributes.indices.map { (entity: entity, attribute: $0) }
        }
        return random.pick(places.filter { fits(descriptions[$0.entity].attributes[$0.attribute]) })
    }

    private func path(_ entity: Int, _ property: String) -> String { "\(descriptions[entity].name).\(property)" }

    // MARK: Attributes

    private mutating func addAttribute(_ random: inout SeededGenerator) {
        let entity = random.roll(descriptions.count)
        var attribute = Attribute(name("a"), random.chance(50) ? .string : .integer64, optional: true)
        if random.chance(50) {
            attribute.isOptional = random.chance(50)
            attribute.defaultValue = attribute.type == .string ? [.text("new")] : [.integer(7)]
        }
        descriptions[entity].attributes.append(attribute)
        let value = attribute.defaultValue == nil ? "-" : attribute.type == .string ? "'new'" : "7"
        eachRow(descriptions[entity].name) { $0[attribute.name] = value }
        steps.append("add \(path(entity, attribute.name)) = \(value)")
    }

    private mutating func removeAttribute(_ random: inout SeededGenerator) {
        guard let place = randomAttribute(&random) else { return }
        let name = descriptions[place.entity].attributes[place.attribute].name
        guard !descriptions[place.entity].uniquenessConstraints.joined().contains(name), claim(path(place.entity, name))
        else { return }
        descriptions[place.entity].attributes.remove(at: place.attribute)
        eachRow(descriptions[place.entity].name) { $0[name] = nil }
        steps.append("remove \(path(place.entity, name))")
    }

    private mutating func renameAttribute(_ random: inout SeededGenerator) {
        guard let place = randomAttribute(&random) else { return }
        let old = descriptions[place.entity].attributes[place.attribute].name
        guard !descriptions[place.entity].uniquenessConstraints.joined().contains(old), claim(path(place.entity, old))
        else { return }
        let new = name("b")
        descriptions[place.entity].attributes[place.attribute].name = new
        descriptions[place.entity].attributes[place.attribute].renamingIdentifier = old
        eachRow(descriptions[place.entity].name) { $0[new] = $0.removeValue(forKey: old) }
        steps.append("rename \(path(place.entity, old)) to \(new)")
    }

    private mutating func demandAttribute(_ random: inout SeededGenerator) {
        guard let place = randomAttribute(&random, { $0.type == .string && $0.isOptional }) else { return }
        let name = descriptions[place.entity].attributes[place.attribute].name
        guard !descriptions[place.entity].uniquenessConstraints.joined().contains(name), claim(path(place.entity, name))
        else { return }
        descriptions[place.entity].attributes[place.attribute].isOptional = false
        descriptions[place.entity].attributes[place.attribute].defaultValue = [.text("filled")]
        eachRow(descriptions[place.entity].name) { if $0[name] == "-" { $0[name] = "'filled'" } }
        steps.append("demand \(path(place.entity, name))")
    }

    private mutating func widen(_ random: inout SeededGenerator) {
        guard let place = randomAttribute(&random, { $0.type == .integer16 }) else { return }
        let name = descriptions[place.entity].attributes[place.attribute].name
        guard claim(path(place.entity, name)) else { return }
        let type = random.pick([AttributeType.integer64, .double, .decimal]) ?? .integer32
        descriptions[place.entity].attributes[place.attribute].type = type
        steps.append("widen \(path(place.entity, name)) to \(type)")
    }

    private mutating func flipStorage(_ random: inout SeededGenerator) {
        guard let place = randomAttribute(&random, { $0.type == .binary }) else { return }
        let name = descriptions[place.entity].attributes[place.attribute].name
        guard claim(path(place.entity, name)) else { return }
        descriptions[place.entity].attributes[place.attribute].allowsExternalStorage.toggle()
        steps.append("flip \(path(place.entity, name))")
    }

    private mutating func moveUp(_ random: inout SeededGenerator) {
        guard let place = randomAttribute(&random), let parent = descriptions[place.entity].superentityName,
            let upper = position(parent)
        else { return }
        let attribute = descriptions[place.entity].attributes[place.attribute]
        guard !descriptions[place.entity].uniquenessConstraints.joined().contains(attribute.name),
            attribute.isOptional, claim(path(place.entity, attribute.name))
        else { return }
        descriptions[place.entity].attributes.remove(at: place.attribute)
        descriptions[upper].attributes.append(attribute)
        eachRow(parent) { if $0[attribute.name] == nil { $0[attribute.name] = "-" } }
        steps.append("move \(attribute.name) up to \(parent)")
    }

    private mutating func addIndex(_ random: inout SeededGenerator) {
        guard let place = randomAttribute(&random, { $0.type == .string }) else { return }
        let name = descriptions[place.entity].attributes[place.attribute].name
        guard claim(path(place.entity, name)) else { return }
        descriptions[place.entity].indexes.append(FetchIndex(name: self.name("by"), propertyNames: [name]))
        // An index is no part of the version hash.
        descriptions[place.entity].versionHashModifier = "indexed"
        steps.append("index \(path(place.entity, name))")
    }

    // MARK: Entities

    private mutating func renameEntity(_ random: inout SeededGenerator) {
        let place = random.roll(descriptions.count)
        let old = descriptions[place].name
        guard claim(old) else { return }
        let new = random.chance(50) ? name("A") : name("Z")
        descriptions[place].name = new
        descriptions[place].renamingIdentifier = old
        for other in descriptions.indices {
            if descriptions[other].superentityName == old { descriptions[other].superentityName = new }
            for index in descriptions[other].relationships.indices
            where descriptions[other].relationships[index].destinationName == old {
                descriptions[other].relationships[index].destinationName = new
            }
        }
        expected.rows[new] = expected.rows.removeValue(forKey: old)
        expected.mapReferences { $0.entity == old ? (new, $0.key) : $0 }
        steps.append("rename \(old) to \(new)")
    }

    private mutating func addEntity(_ random: inout SeededGenerator) {
        var entity = EntityDescription(random.chance(50) ? name("A") : name("Z"))
        if random.chance(40) { entity.superentityName = random.pick(descriptions)?.name }
        touched.insert(entity.name)
        entity.attributes = [Attribute(name("c"), .string, optional: true)]
        descriptions.append(entity)
        expected.rows[entity.name] = [:]
        steps.append("add \(entity.name) under \(entity.superentityName ?? "none")")
    }

    private mutating func removeEntity(_ random: inout SeededGenerator) {
        let place = random.roll(descriptions.count)
        let name = descriptions[place].name
        let above = lineage(name)
        let isDemanded = ends.contains { end in
            end.relationship.cardinality == .toOne && !end.relationship.isOptional
                && above.contains(end.relationship.destinationName) && end.relationship.destinationName != name
        }
        guard descriptions.count > 1, family(name).count == 1, !isDemanded, claim(name) else { return }
        for end in ends where end.relationship.destinationName == name || end.entity == name {
            guard claim("\(end.entity).\(end.relationship.name)") else { return }
        }
        for end in ends where end.relationship.destinationName == name || end.entity == name {
            remove(end.relationship.name, of: end.entity)
            if let inverse = end.relationship.inverseName { remove(inverse, of: end.relationship.destinationName) }
        }
        descriptions.removeAll { $0.name == name }
        expected.rows[name] = nil
        expected.mapReferences { $0.entity == name ? nil : $0 }
        steps.append("remove \(name)")
    }

    private mutating func addParent(_ random: inout SeededGenerator) {
        let roots = descriptions.indices.filter { descriptions[$0].superentityName == nil }
        guard let place = random.pick(roots) else { return }
        var parent = EntityDescription(random.chance(50) ? name("A") : name("Z"))
        parent.isAbstract = random.chance(50)
        touched.insert(parent.name)
        descriptions[place].superentityName = parent.name
        descriptions.append(parent)
        expected.rows[parent.name] = [:]
        steps.append("put \(parent.name) above \(descriptions[place].name)")
    }

    // MARK: Relationships

    private var ends: [(entity: String, relationship: Relationship)] {
        descriptions.flatMap { entity in entity.relationships.map { (entity.name, $0) } }
    }

    private mutating func remove(_ name: String, of entity: String) {
        guard let place = position(entity),
            let index = descriptions[place].relationships.firstIndex(where: { $0.name == name })
        else { return }
        descriptions[place].relationships.remove(at: index)
        eachRow(entity) { $0[name] = nil }
    }

    private mutating func edit(_ name: String, of entity: String, _ body: (inout Relationship) -> Void) {
        guard let place = position(entity),
            let index = descriptions[place].relationships.firstIndex(where: { $0.name == name })
        else { return }
        body(&descriptions[place].relationships[index])
    }

    /// Both ends of a relationship without changes so far.
    private mutating func claimEnd(
        _ random: inout SeededGenerator, _ fits: (Relationship, Relationship?) -> Bool
    ) -> (entity: String, relationship: Relationship)? {
        let all = ends
        let found = all.filter { end in
            let inverse = all.first {
                $0.entity == end.relationship.destinationName && $0.relationship.name == end.relationship.inverseName
            }
            return fits(end.relationship, inverse?.relationship)
        }
        guard let end = random.pick(found) else { return nil }
        let back = end.relationship.inverseName.map { "\(end.relationship.destinationName).\($0)" }
        guard
            claim("\(end.entity).\(end.relationship.name)", back ?? "\(end.entity).\(end.relationship.name) alone")
                || (back == "\(end.entity).\(end.relationship.name)")
        else { return nil }
        return end
    }

    private mutating func removeRelationship(_ random: inout SeededGenerator) {
        guard let end = claimEnd(&random, { _, _ in true }) else { return }
        remove(end.relationship.name, of: end.entity)
        if let inverse = end.relationship.inverseName { remove(inverse, of: end.relationship.destinationName) }
        steps.append("remove \(end.entity).\(end.relationship.name)")
    }

    private mutating func renameRelationship(_ random: inout SeededGenerator) {
        guard let end = claimEnd(&random, { $0.name != $0.inverseName || $1 == nil }) else { return }
        let (old, new) = (end.relationship.name, name("q"))
        edit(old, of: end.entity) {
            $0.name = new
            $0.renamingIdentifier = old
        }
        if let inverse = end.relationship.inverseName {
            edit(inverse, of: end.relationship.destinationName) { $0.inverseName = new }
        }
        eachRow(end.entity) { $0[new] = $0.removeValue(forKey: old) }
        steps.append("rename \(end.entity).\(old) to \(new)")
    }

    /// One end of a pair, formerly to-one, may have several.
    private mutating func toMany(_ random: inout SeededGenerator) {
        guard let end = claimEnd(&random, { $0.cardinality == .toOne && $1 != nil && $0.name != $0.inverseName })
        else { return }
        edit(end.relationship.name, of: end.entity) {
            $0.cardinality = .toMany
            $0.maximumCount = 0
            $0.isOptional = true
        }
        eachRow(end.entity) { if $0[end.relationship.name] == "-" { $0[end.relationship.name] = "" } }
        steps.append("\(end.entity).\(end.relationship.name) to many")
    }

    private mutating func order(_ random: inout SeededGenerator) {
        guard let end = claimEnd(&random, { end, _ in end.cardinality == .toMany && end.name != end.inverseName })
        else { return }
        edit(end.relationship.name, of: end.entity) { $0.isOrdered.toggle() }
        // Without an order, rows are listed sorted; a new order is by keys.
        let isOrdered = !end.relationship.isOrdered
        eachRow(end.entity) { row in
            let members = (row[end.relationship.name] ?? "").split(separator: " ").map(String.init)
            let sorted = isOrdered ? members.sorted { LogicalRows.key($0) < LogicalRows.key($1) } : members.sorted()
            row[end.relationship.name] = sorted.joined(separator: " ")
        }
        steps.append("order \(end.entity).\(end.relationship.name): \(isOrdered)")
    }

    private mutating func addRelationship(_ random: inout SeededGenerator) {
        let (one, other) = (random.roll(descriptions.count), random.roll(descriptions.count))
        let (forth, back) = (name("n"), name("m"))
        let isMany = random.chance(50)
        descriptions[one].relationships.append(
            Relationship(forth, to: descriptions[other].name, isMany ? .toMany : .toOne, inverse: back))
        descriptions[other].relationships.append(
            Relationship(back, to: descriptions[one].name, .toMany, inverse: forth))
        touched.formUnion([path(one, forth), path(other, back)])
        eachRow(descriptions[one].name) { $0[forth] = isMany ? "" : "-" }
        eachRow(descriptions[other].name) { $0[back] = "" }
        steps.append("relate \(path(one, forth)) and \(path(other, back))")
    }
}

extension LogicalRows {
    /// A reference as text.
    static func key(_ reference: String) -> Int { reference.split(separator: "/").last.flatMap { Int($0) } ?? 0 }

    /// - Parameter change: returns another entity, or `nil` for a removed reference.
    mutating func mapReferences(_ change: ((entity: String, key: String)) -> (entity: String, key: String)?) {
        for (entity, found) in rows {
            for (key, row) in found {
                for (name, text) in row where text.contains("/") && !text.hasPrefix("'") {
                    let changed = text.split(separator: " ").compactMap { word -> String? in
                        let parts = word.split(separator: "/").map(String.init)
                        return change((parts[0], parts[1])).map { "\($0.entity)/\($0.key)" }
                    }
                    let isOne = !text.contains(" ") && changed.isEmpty
                    rows[entity]?[key]?[name] = changed.joined(separator: " ")
                    if isOne { rows[entity]?[key]?[name] = Self.gone }
                }
            }
        }
    }

    /// A single removed reference: nil for a to-one relationship, no member for a to-many one.
    private static let gone = "gone"

    /// With facts of the new model: the text of a missing reference, and the members with an order.
    func settled(_ model: Model) -> LogicalRows {
        var settled = self
        for entity in model.entities {
            for key in (rows[entity.name] ?? [:]).keys {
                for relationship in entity.relationships {
                    guard let text = rows[entity.name]?[key]?[relationship.name] else { continue }
                    let known = text == Self.gone ? (relationship.isToOne ? "-" : "") : text
                    let isSorted = !relationship.isToOne && !relationship.relationship.isOrdered
                    settled.rows[entity.name]?[key]?[relationship.name] =
                        isSorted ? known.split(separator: " ").sorted().joined(separator: " ") : known
                }
            }
        }
        return settled
    }
}
