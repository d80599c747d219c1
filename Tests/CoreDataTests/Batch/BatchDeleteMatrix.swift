import CoreData

/// One kind of relationship: its shape, its delete rule and its inverse.
struct BatchDeleteMatrixCell: CustomStringConvertible, Sendable {
    enum Shape: CaseIterable { case oneToOne, oneToMany, manyToMany, selfReferential, inherited, ordered }
    enum Inverse: CaseIterable { case optional, mandatory, none }

    static let rules: [NSDeleteRule] = [
        .nullifyDeleteRule, .cascadeDeleteRule, .noActionDeleteRule, .denyDeleteRule,
    ]

    let shape: Shape
    let rule: NSDeleteRule
    let inverse: Inverse

    static let all: [BatchDeleteMatrixCell] = Shape.allCases.flatMap { shape in
        rules.flatMap { rule in
            Inverse.allCases.map { BatchDeleteMatrixCell(shape: shape, rule: rule, inverse: $0) }
        }
    }

    var description: String { "\(shape), rule \(rule.rawValue), inverse \(inverse)" }

    var isToMany: Bool { shape != .oneToOne }
    var isManyToMany: Bool { shape == .manyToMany }
    var isSelfReferential: Bool { shape == .selfReferential }

    /// Entities of the rows, by their part in the relationship.
    var ownerNames: [String] { shape == .inherited ? ["Owner", "SubOwner"] : ["Owner"] }
    var memberNames: [String] {
        switch shape {
        case .selfReferential: ["Owner"]
        case .inherited: ["Member", "SubMember"]
        default: ["Member"]
        }
    }

    // MARK: Model

    private func entity(_ name: String) -> NSEntityDescription {
        let entity = Zoo.entity(name, NSManagedObject.self)
        guard !name.hasPrefix("Sub") else { return entity }
        entity.properties = [
            Zoo.attribute("number", .integer64AttributeType), Zoo.attribute("isPicked", .booleanAttributeType),
        ]
        return entity
    }

    private func relationship(
        _ name: String, isToMany: Bool, _ rule: NSDeleteRule, to destination: NSEntityDescription
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.maxCount = isToMany ? 0 : 1
        relationship.deleteRule = rule
        relationship.destinationEntity = destination
        return relationship
    }

    func model() -> NSManagedObjectModel {
        let owner = entity("Owner")
        let member = isSelfReferential ? owner : entity("Member")
        let there = relationship("members", isToMany: isToMany, rule, to: member)
        there.isOrdered = shape == .ordered
        owner.properties += [there]
        if inverse != .none {
            let back = relationship("owner", isToMany: isManyToMany, .nullifyDeleteRule, to: owner)
            back.isOptional = inverse == .optional
            member.properties += [back]
            there.inverseRelationship = back
            back.inverseRelationship = there
        }
        let model = NSManagedObjectModel()
        model.entities = isSelfReferential ? [owner] : [owner, member]
        if shape == .inherited {
            let (subowner, submember) = (entity("SubOwner"), entity("SubMember"))
            (owner.subentities, member.subentities) = ([subowner], [submember])
            model.entities += [subowner, submember]
        }
        return model
    }
}

/// Rows and links of one cell's stores, as numbers: the source of a test's objects and, worked out naively and independently of
/// the library, the expected result of a delete.
struct BatchDeleteMatrixGraph {
    struct Row {
        let number: Int
        let entityName: String
        let store: Int
        let isPicked: Bool
        var isOwner: Bool { number < 100 }
    }

    let cell: BatchDeleteMatrixCell
    private(set) var rows: [Row] = []
    /// Members of each owner, in order.
    private(set) var members: [Int: [Int]] = [:]

    /// Random rows, with random links that the model allows.
    init(_ cell: BatchDeleteMatrixCell, stores: Int, _ random: inout some RandomNumberGenerator) {
        self.cell = cell
        for store in 0..<stores {
            let owners = (0..<5).map { store * 20 + $0 }
            let others = cell.isSelfReferential ? owners : (0..<5).map { 100 + store * 20 + $0 }
            add(owners, cell.ownerNames, store, &random)
            if !cell.isSelfReferential { add(others, cell.memberNames, store, &random) }
            link(owners, others, &random)
        }
    }

    private mutating func add(
        _ numbers: [Int], _ names: [String], _ store: Int, _ random: inout some RandomNumberGenerator
    ) {
        for number in numbers {
            rows.append(
                Row(
                    number: number, entityName: names[Int.random(in: 0..<names.count, using: &random)], store: store,
                    isPicked: Int.random(in: 0..<3, using: &random) > 0))
        }
    }

    private mutating func link(_ owners: [Int], _ others: [Int], _ random: inout some RandomNumberGenerator) {
        let free = owners.shuffled(using: &random)
        for (place, other) in others.shuffled(using: &random).enumerated() {
            let isLinked = cell.inverse == .mandatory || Int.random(in: 0..<4, using: &random) > 0
            guard isLinked else { continue }
            switch cell.shape {
            case .oneToOne: members[free[place], default: []].append(other)
            // Without an inverse the key is at the other end and refers to one owner only.
            case .manyToMany where cell.inverse != .none:
                let count = Int.random(in: 1...3, using: &random)
                for owner in owners.shuffled(using: &random).prefix(count) {
                    members[owner, default: []].append(other)
                }
            default:
                // Also links to the row itself, where rows refer to rows of their own entity.
                guard let owner = owners.randomElement(using: &random) else { continue }
                members[owner, default: []].append(other)
            }
        }
    }

    // MARK: Expected result of a delete

    struct Outcome {
        var asked: [Int] = []
        var going: Set<Int> = []
        /// Survivors that lose a link.
        var updated: Set<Int> = []
        var refusal: Refusal?
    }

    enum Refusal { case denied, mandatory }

    /// - Parameter limit: how many of the selected owners to delete, lowest numbers first.
    func deletingPicked(limit: Int?) -> Outcome {
        var outcome = Outcome()
        let picked = rows.filter { $0.isOwner && $0.isPicked }.map(\.number).sorted()
        outcome.asked = Array(picked.prefix(limit ?? picked.count))
        outcome.going = Set(outcome.asked)
        while cell.rule == .cascadeDeleteRule {
            let more = outcome.going.union(outcome.going.flatMap { members[$0] ?? [] })
            if more == outcome.going { break }
            outcome.going = more
        }
        judge(&outcome)
        return outcome
    }

    private func judge(_ outcome: inout Outcome) {
        let going = outcome.going
        var bereft: Set<Int> = []
        for (owner, members) in members {
            for member in members where going.contains(owner) != going.contains(member) {
                if going.contains(owner) {
                    bereft.insert(member)
                } else if cell.inverse != .none {
                    outcome.updated.insert(owner)
                }
            }
        }
        switch cell.rule {
        case .denyDeleteRule where !bereft.isEmpty: outcome.refusal = .denied
        case .nullifyDeleteRule where cell.inverse != .none:
            outcome.updated.formUnion(bereft)
            let isLeftEmpty = bereft.contains { member in
                !members.contains { !going.contains($0.key) && $0.value.contains(member) }
            }
            if cell.inverse == .mandatory, isLeftEmpty { outcome.refusal = .mandatory }
        default: break
        }
    }

    /// Members of each remaining owner.
    func members(after outcome: Outcome) -> [Int: [Int]] {
        var left: [Int: [Int]] = [:]
        for row in rows where row.isOwner && !outcome.going.contains(row.number) {
            left[row.number] = (members[row.number] ?? []).filter { !outcome.going.contains($0) }
        }
        return left
    }
}
