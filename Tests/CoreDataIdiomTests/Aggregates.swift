import CoreData
import Foundation
import Testing

@MainActor @Suite("Aggregates")
struct Aggregates {
    private func aggregate(_ function: String, _ key: String, _ type: NSAttributeType) throws -> Any? {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let column = NSExpressionDescription()
        column.name = "value"
        column.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        column.expressionResultType = type
        let request = NSFetchRequest<NSDictionary>(entityName: "Recipe")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [column]
        return try kitchen.context.fetch(request).first?["value"]
    }

    // Source: Apple, 'Core Data Programming Guide', Fetching Specific Values
    @Test("Finds the greatest value of all rows")
    func maximum() throws {
        #expect(try aggregate("max:", "minutes", .integer32AttributeType) as? Int32 == 180)
    }

    // Source: Apple, 'Core Data Programming Guide', Fetching Specific Values
    @Test("Finds the earliest date of all rows")
    func earliest() throws {
        #expect(try aggregate("min:", "created", .dateAttributeType) as? Date == .day(10))
    }

    // Source: widely copied recipe: totals in the store
    @Test("Sums numbers in the store")
    func sum() throws {
        #expect(try aggregate("sum:", "minutes", .integer64AttributeType) as? Int == 270)
    }

    // Source: widely copied recipe: totals in the store
    @Test("Averages numbers in the store")
    func average() throws {
        #expect(try aggregate("average:", "rating", .doubleAttributeType) as? Double == 3.875)
    }

    // Source: widely copied recipe: totals in the store
    @Test("Sums decimals as doubles if requested")
    func decimalAsDouble() throws {
        #expect(try aggregate("sum:", "price", .doubleAttributeType) as? Double == 49.10)
    }

    // Source: Apple, NSExpression, 'count:'
    @Test("Counts values in the store")
    func count() throws {
        #expect(try aggregate("count:", "name", .integer64AttributeType) as? Int == 4)
    }

    /// A request for a row of each course with the number of its recipes and their minutes.
    private func byCourse() -> NSFetchRequest<NSDictionary> {
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "name")])
        count.expressionResultType = .integer32AttributeType
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "minutes")])
        total.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Recipe")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["courseRaw"]
        request.propertiesToFetch = ["courseRaw", count, total]
        request.sortDescriptors = [NSSortDescriptor(key: "courseRaw", ascending: true)]
        return request
    }

    // Source: Apple, NSFetchRequest, 'propertiesToGroupBy'
    @Test("Groups rows and counts each group")
    func groups() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let rows = try kitchen.context.fetch(byCourse())
        #expect(rows.map { $0["count"] as? Int } == [1, 1, 2])
        #expect(rows.map { $0["total"] as? Int } == [10, 180, 80])
    }

    // Source: Apple, NSFetchRequest, 'havingPredicate'
    @Test("Keeps groups by their column")
    func having() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = byCourse()
        request.havingPredicate = NSPredicate(format: "courseRaw > 0")
        #expect(try kitchen.context.fetch(request).count == 2)
    }

    // Source: widely copied recipe: groups by a computed column
    @Test("Keeps groups by a computed column, named as a variable")
    func havingVariable() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = byCourse()
        request.havingPredicate = NSPredicate(format: "$count > 1")
        #expect(try kitchen.context.fetch(request).map { $0["courseRaw"] as? Int } == [2])
    }

    // Source: Apple, NSFetchRequest, 'havingPredicate'
    @Test("CD47 Throws for a computed column named as a key path")
    func havingKeyPath() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = byCourse()
        request.havingPredicate = NSPredicate(format: "count > 1")
        #expect(throws: (any Error).self) { try kitchen.context.fetch(request) }
    }

    // Source: widely copied recipe: groups by a related object's value
    @Test("Groups by a value of a related object")
    func groupByRelated() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = byCourse()
        request.propertiesToGroupBy = ["cook.name"]
        request.propertiesToFetch = ["cook.name"]
        request.sortDescriptors = nil
        #expect(try kitchen.context.fetch(request).count == 3)
    }

    // Source: Apple, NSExpression, 'expressionForEvaluatedObject()'
    @Test("Adds each row's identifier to its dictionary")
    func identifierColumn() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let column = NSExpressionDescription()
        column.name = "id"
        column.expression = NSExpression.expressionForEvaluatedObject()
        column.expressionResultType = .objectIDAttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Recipe")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [column, "name"]
        #expect(try kitchen.context.fetch(request).allSatisfy { $0["id"] is NSManagedObjectID })
    }

    // Source: Apple, NSExpression
    @Test("Evaluates an expression in memory")
    func expressions() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        #expect(NSExpression(format: "2 + 3 * 4").expressionValue(with: nil, context: nil) as? Int == 14)
        #expect(NSExpression(forKeyPath: "cook.name").expressionValue(with: recipe, context: nil) as? String == "Ann")
        let average = NSExpression(forFunction: "average:", arguments: [NSExpression(forConstantValue: [1, 2, 6])])
        #expect(average.expressionValue(with: nil, context: nil) as? Double == 3)
    }

    // Source: widely copied recipe: totals of fetched objects
    @Test("Sums fetched objects in Swift")
    func inSwift() throws {
        let kitchen = try Kitchen()
        let total = try kitchen.fill().compactMap(\.price).reduce(NSDecimalNumber.zero) { $0.adding($1) }
        #expect(total == NSDecimalNumber(string: "49.10"))
    }

    // Source: widely copied recipe: totals of money in the store
    @Test("Sums decimals in the store as decimals")
    func decimals() throws {
        #expect(
            try aggregate("sum:", "price", .decimalAttributeType) as? NSDecimalNumber
                == NSDecimalNumber(string: "49.10"))
        #expect(try aggregate("sum:", "minutes", .decimalAttributeType) as? NSDecimalNumber == 270)
    }

    // Source: widely copied recipe: totals by a collection operator
    @Test("Sums rows by a collection operator at the beginning of a column's key path")
    func operatorColumn() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = NSExpression(forKeyPath: "@sum.minutes")
        total.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Recipe")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [total]
        #expect(try kitchen.context.fetch(request).first?["total"] as? Int == 270)
    }
}
