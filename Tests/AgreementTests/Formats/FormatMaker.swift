import Foundation
import ObjectGraph
import TestSupport

/// Makes random predicates in the format language over the zoo, as a person could type them.
struct FormatMaker {
    let model: Model
    let ids: [ObjectID]
    var random: SeededGenerator
    /// How many relationships a quantified key path may follow after the first to-many one.
    var furtherHops = 2
    private var lastVariable = 0

    init(rows: ZooRows, random: SeededGenerator) {
        model = rows.model
        ids = rows.ids
        self.random = random
    }

    /// Possible first names of a key path, and the entity in which they are looked up.
    struct Known {
        /// Empty, `SELF.` or `$x.`
        let prefix: String
        let entityIndex: Int

        /// The object itself.
        var name: String { prefix.isEmpty ? "SELF" : String(prefix.dropLast()) }
    }

    // MARK: Key paths

    /// One of the known objects, or one reached from it by to-one relationships.
    private mutating func object(_ known: [Known]) -> Known {
        var current = random.pick(known) ?? Known(prefix: "", entityIndex: 0)
        if random.chance(8), let place = place(in: current) { current = place }
        while random.chance(30) {
            let entity = model[current.entityIndex]
            guard let next = random.pick(entity.relationships.filter(\.isToOne)) else { return current }
            current = Known(prefix: current.prefix + next.name + ".", entityIndex: next.destinationIndex)
        }
        return current
    }

    /// A member of an ordered relationship of the object.
    private mutating func place(in owner: Known) -> Known? {
        let ordered = model[owner.entityIndex].relationships.filter(\.relationship.isOrdered)
        guard let relationship = random.pick(ordered) else { return nil }
        let index = random.pick(["FIRST", "LAST", "0", "1", "2", "-1"]) ?? "0"
        return Known(
            prefix: "\(owner.prefix)\(relationship.name)[\(index)].", entityIndex: relationship.destinationIndex)
    }

    private mutating func leaf(_ known: [Known], _ types: Set<AttributeType>) -> (path: String, type: AttributeType)? {
        let object = object(known)
        var leaves: [(String, AttributeType)] = []
        for attribute in model[object.entityIndex].attributes.map(\.attribute) {
            if types.contains(attribute.type) { leaves.append((attribute.name, attribute.type)) }
            for element in attribute.elements where types.contains(element.type) {
                leaves.append(("\(attribute.name).\(element.name)", element.type))
            }
        }
        return random.pick(leaves).map { (object.prefix + $0.0, $0.1) }
    }

    /// A to-many key path of one or several hops, and its destination entity.
    private mutating func toMany(_ known: [Known], hops: Int = 1) -> Known? {
        let owner = object(known)
        guard let next = random.pick(model[owner.entityIndex].relationships.filter { !$0.isToOne }) else { return nil }
        var current = Known(prefix: owner.prefix + next.name + ".", entityIndex: next.destinationIndex)
        for _ in 1..<max(1, hops) where random.chance(60) {
            guard let more = random.pick(model[current.entityIndex].relationships) else { break }
            current = Known(prefix: current.prefix + more.name + ".", entityIndex: more.destinationIndex)
        }
        return current
    }

    // MARK: Values

    static let numbers: Set<AttributeType> = [.integer16, .integer32, .integer64, .decimal, .double, .float, .boolean]
    static let texts: Set<AttributeType> = [.string, .uri]

    mutating func number(_ known: [Known], depth: Int) -> String {
        guard depth > 0, random.chance(50) else {
            return random.chance(65) ? leaf(known, Self.numbers)?.path ?? numberLiteral() : numberLiteral()
        }
        switch random.roll(9) {
        case 0, 1, 2:
            let sign = random.pick(["+", "-", "*", "/", "%%"]) ?? "+"
            return "(\(number(known, depth: depth - 1)) \(sign) \(number(known, depth: depth - 1)))"
        case 3:
            if random.chance(40), let (first, _) = leaf(known, [.date]), let (second, _) = leaf(known, [.date]) {
                return "(\(first) - \(second))"
            }
            return "-\(number(known, depth: depth - 1))"
        case 4:
            let name = random.pick(["abs", "floor", "ceiling:", "trunc", "sqrt", "ln", "onesComplement:"]) ?? "abs"
            return "\(name)(\(number(known, depth: depth - 1)))"
        case 5: return "length(\(text(known, depth: depth - 1)))"
        case 6:
            let then = number(known, depth: depth - 1)
            return "TERNARY(\(test(known, depth: depth - 1)), \(then), \(number(known, depth: depth - 1)))"
        case 7: return "(\(number(known, depth: depth - 1)) ** \(random.pick(["2", "0.5", "-1"]) ?? "2"))"
        default: return aggregate(known, depth: depth)
        }
    }

    private mutating func aggregate(_ known: [Known], depth: Int) -> String {
        if furtherHops > 0, random.chance(25) { return farAggregate(known) }
        guard let members = toMany(known) else { return numberLiteral() }
        let collection = String(members.prefix.dropLast())
        switch random.roll(8) {
        case 0: return "\(collection).@count"
        case 1: return "count:(\(collection))"
        case 2:
            let (name, condition) = subquery(members, depth: depth - 1)
            return "SUBQUERY(\(collection), \(name), \(condition)).@count"
        case 3: return "(\(random.chance(30) ? twoSets(known) ?? set(members) : set(members))).@count"
        default:
            let element = Known(prefix: "", entityIndex: members.entityIndex)
            guard let (path, _) = leaf([element], Self.numbers) else { return "\(collection)[SIZE]" }
            if random.chance(30) {
                return "\(random.pick(["median", "stddev:", "average"]) ?? "median")(\(collection).\(path))"
            }
            let function = random.pick(["sum", "avg", "min", "max"]) ?? "sum"
            if random.chance(25) { return "\(collection).@distinctUnionOfObjects.\(path).@\(function)" }
            return random.chance(50)
                ? "\(collection).@\(function).\(path)" : "\(collection).\(path).@\(function)"
        }
    }

    /// The members of one relationship of an object that are, or are not, in another one.
    private mutating func twoSets(_ known: [Known]) -> String? {
        let owner = object(known)
        let toMany = model[owner.entityIndex].relationships.filter { !$0.isToOne }
        guard let first = random.pick(toMany),
            let second = random.pick(toMany.filter { $0.destinationIndex == first.destinationIndex })
        else { return nil }
        let operation = random.chance(50) ? "INTERSECT" : "MINUS"
        return "\(owner.prefix)\(first.name) \(operation) \(owner.prefix)\(second.name)"
    }

    /// The members that are, or are not, in a list.
    private mutating func set(_ members: Known) -> String {
        let operation = random.chance(50) ? "INTERSECT" : "MINUS"
        let element = Known(prefix: members.prefix, entityIndex: members.entityIndex)
        if random.chance(50), let (path, _) = leaf([element], [.string, .uri]) {
            let list = (0..<random.roll(6)).map { _ in textLiteral() }
            return "\(path) \(operation) {\(list.joined(separator: ", "))}"
        }
        let list = (0..<random.roll(6)).compactMap { _ in random.pick(ids).map { "'\($0.uriText)'" } }
        let constants = "{\(list.joined(separator: ", "))}"
        return operation == "INTERSECT" && random.chance(50)
            ? "\(constants) INTERSECT \(members.name)" : "\(members.name) \(operation) \(constants)"
    }

    /// Across several relationships.
    private mutating func farAggregate(_ known: [Known]) -> String {
        guard let members = toMany(known, hops: 1 + furtherHops),
            let (path, _) = leaf([Known(prefix: "", entityIndex: members.entityIndex)], Self.numbers)
        else { return numberLiteral() }
        let function = random.pick(["count", "sum", "avg", "min", "max"]) ?? "count"
        switch random.roll(4) {
        case 0:
            let (name, condition) = subquery(members, depth: 0)
            let subquery = "SUBQUERY(\(members.name), \(name), \(condition))"
            return function == "count" ? "\(subquery).@count" : "\(subquery).@\(function).\(path)"
        case 1: return "\(members.name).@distinctUnionOfObjects.\(path).@\(function)"
        default: return function == "count" ? "\(members.name).@count" : "\(members.name).@\(function).\(path)"
        }
    }

    private mutating func subquery(_ members: Known, depth: Int) -> (variable: String, condition: String) {
        lastVariable += 1
        let variable = "$x\(lastVariable)"
        let condition = test([Known(prefix: variable + ".", entityIndex: members.entityIndex)], depth: depth)
        return (variable, condition)
    }

    private mutating func numberLiteral() -> String {
        switch random.roll(9) {
        case 0: "nil"
        case 1: "\(random.pick(ZooRows.edges) ?? 0)"
        case 2: random.pick(["0x1F", "0b101", "2.5", "1e3", "YES", "FALSE"]) ?? "0"
        case 3, 4: "\(random.pick(ZooRows.reals) ?? 0)"
        default: "\(random.pick(ZooRows.integers) ?? 0)"
        }
    }

    private mutating func date(_ known: [Known]) -> String {
        if random.chance(50), let (path, _) = leaf(known, [.date]) {
            return random.pick([
                path, "\(path) + 0.5", "\(path) - 86400", "CAST(CAST(\(path), 'NSNumber') / 2, 'NSDate')",
            ])
                ?? path
        }
        if random.chance(20), let members = toMany(known),
            let (path, _) = leaf([Known(prefix: "", entityIndex: members.entityIndex)], [.date])
        {
            return "\(members.name).@\(random.chance(50) ? "min" : "max").\(path)"
        }
        return random.pick([
            "'2001-01-01'", "'2001-01-12T13:46:40Z'", "CAST(5.5, 'NSDate')", "CAST(700000000.25, \"NSDate\")", "nil",
            "CAST(5, 'NSDate') + 0.5", "FUNCTION(CAST(0, 'NSDate'), 'dateByAddingTimeInterval:', -1)",
        ]) ?? "nil"
    }

    mutating func text(_ known: [Known], depth: Int) -> String {
        if depth > 0, random.chance(20) {
            let name = random.pick(["uppercase", "lowercase:", "canonical"]) ?? "uppercase"
            return "\(name)(\(text(known, depth: depth - 1)))"
        }
        if random.chance(60), let (path, _) = leaf(known, Self.texts) { return path }
        return random.chance(6) ? "NULL" : textLiteral()
    }

    private mutating func textLiteral() -> String { Self.quoted(random.pick(ZooRows.texts) ?? "") }

    static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'") + "'"
    }

    private mutating func reference(_ known: [Known]) -> String {
        switch random.roll(5) {
        case 0: "nil"
        case 1: random.pick(ids).map { "CAST('\($0.uriText)', 'NSManagedObjectID')" } ?? "nil"
        case 2: random.pick(ids).map { "'\($0.uriText)'" } ?? "nil"
        default: object(known).name
        }
    }

    // MARK: Tests

    mutating func test(_ known: [Known], depth: Int) -> String {
        guard depth > 0 else { return comparison(known, depth: 0) }
        switch random.roll(12) {
        case 0: return "NOT (\(test(known, depth: depth - 1)))"
        case 1, 2:
            return "(\(test(known, depth: depth - 1)) AND \(test(known, depth: depth - 1)))"
        case 3, 4:
            return "(\(test(known, depth: depth - 1)) || \(test(known, depth: depth - 1)))"
        case 5: return random.chance(50) ? "TRUEPREDICATE" : "! FALSEPREDICATE"
        case 6, 7, 8: return quantified(known, depth: depth - 1)
        default: return comparison(known, depth: depth - 1)
        }
    }

    private mutating func quantified(_ known: [Known], depth: Int) -> String {
        guard let members = toMany(known, hops: 1 + furtherHops) else { return comparison(known, depth: depth) }
        let quantifier = random.pick(["ANY", "ALL", "NONE", "SOME"]) ?? "ANY"
        switch random.roll(5) {
        case 0:
            let list = (0..<random.roll(4)).compactMap { _ in random.pick(ids).map { "'\($0.uriText)'" } }
            return "\(quantifier) \(members.name) IN {\(list.joined(separator: ", "))}"
        case 1:
            guard let (path, _) = leaf([Known(prefix: members.prefix, entityIndex: members.entityIndex)], Self.texts)
            else { return "TRUEPREDICATE" }
            return "\(quantifier) \(path) \(textOperator()) \(textLiteral())"
        case 2:
            guard let single = toMany(known) else { return "TRUEPREDICATE" }
            let (name, condition) = subquery(single, depth: depth)
            return "SUBQUERY(\(single.name), \(name), \(condition)).@count \(sign()) \(random.roll(3))"
        case 3:
            guard let single = toMany(known), let id = random.pick(ids) else { return "TRUEPREDICATE" }
            return random.chance(50) ? "\(single.name) CONTAINS '\(id.uriText)'" : "'\(id.uriText)' IN \(single.name)"
        default:
            let element = Known(prefix: members.prefix, entityIndex: members.entityIndex)
            guard let (path, _) = leaf([element], Self.numbers) else { return "TRUEPREDICATE" }
            return "\(quantifier) \(path) \(sign()) \(number(known, depth: depth))"
        }
    }

    private mutating func sign() -> String {
        random.pick(["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"]) ?? "=="
    }

    private mutating func options() -> String { random.pick(["", "", "[c]", "[d]", "[cd]", "[n]", "[cn]"]) ?? "" }

    private mutating func textOperator() -> String {
        let name = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "==", "!=", "<", ">="]) ?? "CONTAINS"
        return name + options()
    }

    private mutating func comparison(_ known: [Known], depth: Int) -> String {
        switch random.roll(13) {
        case 0, 1, 2: return "\(number(known, depth: depth)) \(sign()) \(number(known, depth: depth))"
        case 3: return "\(text(known, depth: depth)) \(textOperator()) \(text(known, depth: depth))"
        case 4: return pattern(known, depth: depth)
        case 5: return "\(date(known)) \(sign()) \(date(known))"
        case 6:
            let bounds = [number(known, depth: 0), number(known, depth: 0)]
            return "\(number(known, depth: depth)) BETWEEN {\(bounds.joined(separator: ", "))}"
        case 7:
            let list = (0..<random.roll(12)).map { _ in numberLiteral() }
            return "\(number(known, depth: depth)) IN {\(list.joined(separator: ", "))}"
        case 8:
            let list = (0..<random.roll(12)).map { _ in random.chance(8) ? "nil" : textLiteral() }
            return "\(text(known, depth: depth)) IN\(options()) {\(list.joined(separator: ", "))}"
        case 9: return "\(object(known).name) \(random.chance(50) ? "==" : "!=") \(reference(known))"
        case 10: return uuid(known)
        case 11: return entity(known)
        default:
            guard let (path, _) = leaf(known, Set(AttributeType.allCases)) else { return "TRUEPREDICATE" }
            return "\(path) \(random.chance(50) ? "==" : "!=") nil"
        }
    }

    private mutating func pattern(_ known: [Known], depth: Int) -> String {
        if random.chance(20) { return types(known, depth: depth) }
        if random.chance(50) {
            let pattern = random.pick(["*", "a*", "?", "*e", "?o*", "x1?", "é", "", "*\\\\*"]) ?? "*"
            return "\(text(known, depth: depth)) LIKE\(options()) '\(pattern)'"
        }
        let pattern = random.pick(["a.*", "", "[a-z]+\\d*", ".", "É|é", "\\p{L}+", "(?i)ZO."]) ?? ".*"
        return "\(text(known, depth: depth)) MATCHES\(options()) '\(pattern)'"
    }

    private mutating func types(_ known: [Known], depth: Int) -> String {
        let test = random.pick(["UTI-CONFORMS-TO", "uti-equals"]) ?? ""
        let type = random.pick(["png", "JPEG", "item", "none"]) ?? ""
        let other = random.pick(["public.content", "PUBLIC.item", "x1", "Zoë", ""]) ?? ""
        let left = random.chance(50) ? "'public.\(type)'" : text(known, depth: depth)
        return "\(left) \(test) \(random.chance(70) ? "'\(other)'" : text(known, depth: depth))"
    }

    private mutating func uuid(_ known: [Known]) -> String {
        guard let (path, _) = leaf(known, [.uuid]) else { return "TRUEPREDICATE" }
        let uuid = random.pick(ZooRows.uuids)?.uuidString ?? ""
        return random.chance(60) ? "\(path) \(sign()) '\(uuid)'" : "\(path) IN {'\(uuid)', NULL}"
    }

    private mutating func entity(_ known: [Known]) -> String {
        let name = random.pick(model.entities)?.name ?? ""
        let object = object(known)
        switch random.roll(3) {
        case 0: return "\(object.prefix)entity \(random.chance(50) ? "==" : "!=") '\(name)'"
        case 1: return "\(object.prefix)entity.name IN {'\(name)', 'Bird'}"
        default: return "\(object.prefix)entity.name LIKE '*i*'"
        }
    }
}
