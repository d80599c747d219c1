import CoreData
import Foundation
import Testing

/// A format with the names of the recipes that match it.
private struct Condition: CustomTestStringConvertible, Sendable {
    let format: String
    let names: [String]

    init(_ format: String, _ names: String...) {
        self.format = format
        self.names = names
    }

    var testDescription: String { format }
}

private let salad = "Tomato salad"
private let pancakes = "pancakes"
private let éclair = "Éclair"
private let stew = "Beef stew"

@MainActor @Suite("Predicates")
struct Predicates {
    // Source: Apple, 'Predicate Programming Guide', Predicate Format String Syntax
    @Test(
        "Writes a condition as a format",
        arguments: [
            Condition("name == 'pancakes'", pancakes),
            Condition("name ==[c] 'PANCAKES'", pancakes),
            Condition("name BEGINSWITH[cd] 'e'", éclair),
            Condition("name CONTAINS[c] 'SALAD'", salad),
            Condition("name ENDSWITH 'stew'", stew),
            Condition("name LIKE[c] '*cake?'", pancakes),
            Condition("name MATCHES '[A-Z].*'", salad, stew),
            Condition("minutes BETWEEN {15, 90}", pancakes, éclair),
            Condition("minutes IN {10, 180}", salad, stew),
            Condition("NOT (name IN {'pancakes', 'Beef stew'})", salad, éclair),
            Condition("minutes > 15 AND rating >= 4.5", pancakes, éclair),
            Condition("minutes > 100 || rating == 5", éclair, stew),
            Condition("vegetarian == NO", stew),
            Condition("cook == nil", stew),
            Condition("cook != nil AND price < 10", salad, pancakes),
            Condition("cook.name == 'Ann'", salad, pancakes),
            Condition("notes.length == 0 OR notes == NULL", salad, pancakes, éclair, stew),
            Condition("name.length > 8", salad, stew),
            Condition("TRUEPREDICATE", salad, pancakes, éclair, stew),
            Condition("FALSEPREDICATE"),
        ])
    private func formats(_ condition: Condition) throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        #expect(try kitchen.names(NSPredicate(format: condition.format)) == condition.names)
    }

    // Source: Apple, 'Predicate Programming Guide', Aggregate Operations
    @Test(
        "Tests members of a to-many relationship",
        arguments: [
            Condition("ANY tags.label == 'quick'", salad, pancakes),
            Condition("ANY tags.label IN {'quick', 'cheap'}", salad, pancakes, stew),
            Condition("NONE tags.label == 'quick'", éclair, stew),
            Condition("ALL tags.label == 'quick'", pancakes, éclair),
            Condition("tags.@count == 0", éclair),
            Condition("tags.@count > 1", salad),
            Condition("cook.recipes.@count == 2", salad, pancakes),
            Condition("cook.recipes.@max.minutes == 20", salad, pancakes),
            Condition("cook.recipes.@sum.minutes > 40", éclair),
            Condition("SUBQUERY(tags, $t, $t.label == 'cheap').@count > 0", salad, stew),
            Condition("SUBQUERY(ingredients, $i, $i.cost > 1).@count == 1", salad),
        ])
    private func members(_ condition: Condition) throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        #expect(try kitchen.names(NSPredicate(format: condition.format)) == condition.names)
    }

    // Source: Apple, 'Predicate Programming Guide', Creating Predicates
    @Test("Passes values and keys to a format")
    func arguments() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        #expect(try kitchen.names(NSPredicate(format: "%K == %@", "name", "pancakes")) == [pancakes])
        #expect(try kitchen.names(NSPredicate(format: "minutes >= %d AND rating < %f", 20, 4.9)) == [pancakes, stew])
        #expect(try kitchen.names(NSPredicate(format: "minutes == %ld", 60)) == [éclair])
        #expect(try kitchen.names(NSPredicate(format: "name IN %@", [salad, stew])) == [salad, stew])
        #expect(
            try kitchen.names(NSPredicate(format: "minutes BETWEEN %@", argumentArray: [[15, 90]])) == [
                pancakes, éclair,
            ])
    }

    // Source: widely copied recipe: identifiers and dates 'as CVarArg'
    @Test("Compares with a UUID, a date or a URL cast to CVarArg")
    func casts() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[1]
        let id = try #require(recipe.uuid)
        let link = try #require(recipe.link)
        #expect(try kitchen.names(NSPredicate(format: "uuid == %@", id as CVarArg)) == [pancakes])
        #expect(try kitchen.names(NSPredicate(format: "link == %@", link as CVarArg)) == [pancakes])
        #expect(try kitchen.names(NSPredicate(format: "created > %@", Date.day(50) as CVarArg)) == [éclair, stew])
        #expect(try kitchen.names(NSPredicate(format: "created > %@", Date.day(50) as NSDate)) == [éclair, stew])
    }

    // Source: widely copied recipe: the rows of one day
    @Test("Fetches a range of dates")
    func dates() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let range = NSPredicate(
            format: "created >= %@ AND created < %@", Date.day(20) as NSDate, Date.day(21) as NSDate)
        #expect(try kitchen.names(range) == [pancakes])
    }

    // Source: Apple, 'Core Data Programming Guide', Fetching Objects
    @Test("Compares with objects and identifiers")
    func objects() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        let ann = try #require(recipes[0].cook)
        let quick = try #require(recipes[1].tags.first)
        #expect(try kitchen.names(NSPredicate(format: "cook == %@", ann)) == [salad, pancakes])
        #expect(try kitchen.names(NSPredicate(format: "cook == %@", ann.objectID)) == [salad, pancakes])
        #expect(try kitchen.names(NSPredicate(format: "tags CONTAINS %@", quick)) == [salad, pancakes])
        #expect(try kitchen.names(NSPredicate(format: "ANY tags == %@", quick)) == [salad, pancakes])
        #expect(try kitchen.names(NSPredicate(format: "%@ IN tags", quick)) == [salad, pancakes])
        #expect(try kitchen.names(NSPredicate(format: "SELF == %@", recipes[2])) == [éclair])
        #expect(try kitchen.names(NSPredicate(format: "SELF IN %@", [recipes[2], recipes[3]])) == [éclair, stew])
        #expect(try kitchen.names(NSPredicate(format: "NOT (SELF IN %@)", [recipes[2]])) == [salad, pancakes, stew])
    }

    // Source: Apple, NSCompoundPredicate
    @Test("Combines conditions selected at run time")
    func compound() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        var conditions = [NSPredicate(format: "minutes < 100")]
        conditions.append(NSPredicate(format: "rating > 4"))
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: conditions)
        let neither = NSCompoundPredicate(notPredicateWithSubpredicate: either)
        #expect(try kitchen.names(both) == [pancakes, éclair])
        #expect(try kitchen.names(either) == [salad, pancakes, éclair])
        #expect(try kitchen.names(neither) == [stew])
    }

    // Source: Apple, NSComparisonPredicate
    @Test("Builds a comparison from expressions")
    func comparison() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let comparison = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: \Recipe.minutes),
            rightExpression: NSExpression(forConstantValue: 60), modifier: .direct, type: .greaterThanOrEqualTo)
        #expect(try kitchen.names(comparison) == [éclair, stew])
    }

    // Source: Apple, NSPredicate, 'withSubstitutionVariables(_:)'
    @Test("Reuses a predicate with variables")
    func variables() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let byName = NSPredicate(format: "name == $NAME")
        #expect(try kitchen.names(byName.withSubstitutionVariables(["NAME": stew])) == [stew])
        #expect(try kitchen.names(byName.withSubstitutionVariables(["NAME": salad])) == [salad])
    }

    // Source: Apple, NSPredicate, 'evaluate(with:)'
    @Test("Evaluates a predicate in memory")
    func evaluate() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        let quick = NSPredicate(format: "minutes < 30 AND ANY tags.label == 'cheap'")
        #expect(recipes.filter { quick.evaluate(with: $0) }.map(\.name) == [salad])
        #expect((recipes as NSArray).filtered(using: quick).count == 1)
    }

    // Source: widely copied recipe: searching as the user types
    @Test("Searches in two attributes, with no condition for an empty text")
    func search() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        func search(_ text: String) -> NSPredicate? {
            text.isEmpty ? nil : NSPredicate(format: "name CONTAINS[cd] %@ OR cook.name CONTAINS[cd] %@", text, text)
        }
        #expect(try kitchen.names(search("")).count == 4)
        #expect(try kitchen.names(search("ecl")) == [éclair])
        #expect(try kitchen.names(search("ann")) == [salad, pancakes])
    }

    // Source: Apple, 'Predicate Programming Guide'; a nil value beside !=
    @Test("CD3 Matches rows without a value by !=")
    func unequal() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        #expect(try kitchen.names(NSPredicate(format: "cook.name != 'Ann'")) == [éclair, stew])
    }

    // Source: widely copied recipe: a format made of a user's text
    @Test("CD2 Throws for a malformed format rather than ending the process")
    func malformed() throws {
        let kitchen = try Kitchen()
        #expect(throws: (any Error).self) { try NSPredicate(validating: "name == ") }
        #expect(throws: (any Error).self) { try kitchen.names(NSPredicate(format: "name == ")) }
    }

    // Source: Apple, NSFetchRequest; a key that the entity does not have
    @Test("Throws for a key that the entity does not have")
    func unknownKey() throws {
        let kitchen = try Kitchen()
        #expect(throws: (any Error).self) { try kitchen.names(NSPredicate(format: "colour == 1")) }
    }

    // Source: Apple, NSPredicate, 'predicateFormat'
    @Test("CD1 Prints a predicate as a format, without the warning of Foundation's name")
    func printed() {
        #expect(NSPredicate(format: "minutes > %d", 15).formatText == "minutes > 15")
    }

    // Source: widely copied recipe: '%K' with a name that the compiler checks
    @Test("CD63 Names a property by its key path, where Objective-C has #keyPath")
    func checkedName() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let name = NSExpression(forKeyPath: \Recipe.name).keyPath
        #expect(name == "name")
        #expect(try kitchen.names(NSPredicate(format: "%K == %@", name, "pancakes")) == ["pancakes"])
    }

    // Source: Apple, NSPredicate, 'init(_:)' of a Predicate
    @Test("Converts a predicate macro")
    func converted() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        #expect(try kitchen.names(NSPredicate(#Predicate<Recipe> { $0.minutes > 50 })) == ["Éclair", "Beef stew"])
    }

    // Source: widely copied recipe: flags in one number
    @Test("Tests a flag by &")
    func flags() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        #expect(try kitchen.names(NSPredicate(format: "(courseRaw & %d) != 0", 1)) == ["Beef stew"])
    }
}
