import CoreData
import Testing

/// Aggregates as columns of dictionaries, and by collection operators of key-value coding.
@Suite("Aggregates of decimals")
struct DecimalAggregateTests {
    private func stack() throws -> TestStack {
        let model = NSManagedObjectModel()
        let sale = Zoo.entity("Sale", NSManagedObject.self)
        let shop = Zoo.entity("Shop", NSManagedObject.self)
        sale.properties = [
            Zoo.attribute("price", .decimalAttributeType), Zoo.attribute("pieces", .integer64AttributeType),
            Zoo.attribute("weight", .doubleAttributeType), Zoo.attribute("kind", .stringAttributeType),
        ]
        shop.properties = [Zoo.attribute("name", .stringAttributeType)]
        Zoo.link(shop, "sales", .toMany, .nullifyDeleteRule, sale, "shop", .toOne, .nullifyDeleteRule)
        model.entities = [sale, shop]
        let stack = try TestStack(model: model)
        let owner = stack.insert("Shop", ["name": "A"])
        // As reals, 9.99 + 19.5 + 0.1 is 29.590000000000003.
        for (price, kind, pieces) in [("9.99", "book", 1), ("19.5", "pen", 2), ("0.1", "book", 2)] {
            stack.insert(
                "Sale",
                [
                    "price": NSDecimalNumber(string: price), "kind": kind, "pieces": pieces, "weight": 0.5,
                    "shop": owner,
                ])
        }
        try stack.context.save()
        return stack
    }

    private func column(
        _ expression: NSExpression, _ type: NSAttributeType = .undefinedAttributeType
    ) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = "result"
        column.expression = expression
        column.expressionResultType = type
        return column
    }

    private func function(_ name: String, _ key: String) -> NSExpression {
        NSExpression(forFunction: name, arguments: [NSExpression(forKeyPath: key)])
    }

    private func rows(
        _ stack: TestStack, _ column: NSExpressionDescription, by keys: [String] = []
    ) throws -> [NSDictionary] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Sale")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = keys + [column]
        if !keys.isEmpty { request.propertiesToGroupBy = keys }
        request.sortDescriptors = [NSSortDescriptor(key: "kind", ascending: true)]
        return try stack.context.fetch(request)
    }

    @Test(
        "CD72 Aggregates of decimals are decimals, with or without a result type",
        arguments: [
            ("sum:", "29.59"), ("average:", "9.8633333333333333333333333333333333333"), ("min:", "0.1"),
            ("max:", "19.5"),
            ("median:", "9.99"),
        ])
    func ofDecimals(name: String, expected: String) throws {
        let stack = try stack()
        for type in [NSAttributeType.decimalAttributeType, .undefinedAttributeType] {
            let result = try #require(try rows(stack, column(function(name, "price"), type)).first?["result"])
            let number = try #require(result as? NSDecimalNumber)
            #expect(number.decimalValue == Decimal(string: expected))
            #expect(result as? Decimal == Decimal(string: expected))
        }
    }

    @Test("CD72 Aggregates of decimals in groups are decimals, computed by the store or in memory")
    func groups() throws {
        let stack = try stack()
        let sums = try rows(stack, column(function("sum:", "price"), .decimalAttributeType), by: ["kind"])
        #expect(sums.map { $0["result"] as? Decimal } == [Decimal(string: "10.09"), Decimal(string: "19.5")])
        let key = column(function("uppercase:", "kind"), .stringAttributeType)
        key.name = "upper"
        let request = NSFetchRequest<NSDictionary>(entityName: "Sale")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [key, column(function("sum:", "price"))]
        request.propertiesToGroupBy = ["kind"]
        request.sortDescriptors = [NSSortDescriptor(key: "kind", ascending: true)]
        let computed = try stack.context.fetch(request)
        #expect(computed.map { $0["result"] as? Decimal } == [Decimal(string: "10.09"), Decimal(string: "19.5")])
    }

    @Test("The value has the requested result type, whatever the operand's type")
    func asked() throws {
        let stack = try stack()
        func value(_ name: String, _ key: String, _ type: NSAttributeType) throws -> Any? {
            try rows(stack, column(function(name, key), type)).first?["result"]
        }
        #expect(try value("sum:", "pieces", .decimalAttributeType) as? NSDecimalNumber == 5)
        #expect(try value("average:", "pieces", .decimalAttributeType) is NSDecimalNumber)
        #expect(
            try value("sum:", "weight", .decimalAttributeType) as? NSDecimalNumber == NSDecimalNumber(string: "1.5"))
        #expect(try value("count:", "price", .decimalAttributeType) as? NSDecimalNumber == 3)
        #expect(try value("sum:", "price", .doubleAttributeType) as? Double == 29.59)
        #expect(try !(value("sum:", "price", .doubleAttributeType) is NSDecimalNumber))
        #expect(try value("average:", "pieces", .integer32AttributeType) as? Int == 1)
        #expect(try value("sum:", "pieces", .undefinedAttributeType) as? Int == 5)
    }

    /// Their average is 15.8725, which Foundation's `doubleValue` gives as 15.872499999999999.
    private static let prices = ["10.5", "12.99", "29", "11"]

    @Test("CD72 An average of decimals requested as a double is the nearest one, computed by the store or in memory")
    func averageAsDouble() throws {
        let stack = try stack()
        for price in Self.prices {
            stack.insert("Sale", ["price": NSDecimalNumber(string: price), "kind": "dear", "pieces": 1])
        }
        try stack.context.save()
        let average = column(function("average:", "price"), .doubleAttributeType)
        // A computed key makes the groups be computed in memory.
        let upper = column(function("uppercase:", "kind"), .stringAttributeType)
        upper.name = "upper"
        for columns in [[average], [upper, average]] {
            let request = NSFetchRequest<NSDictionary>(entityName: "Sale")
            request.resultType = .dictionaryResultType
            request.predicate = NSPredicate(format: "kind == 'dear'")
            request.propertiesToFetch = columns
            request.propertiesToGroupBy = ["kind"]
            #expect(try stack.context.fetch(request).map { $0["result"] as? Double } == [15.8725])
        }
        // Unsaved changes make the rows be read as well.
        stack.insert("Sale", ["price": NSDecimalNumber(string: "15.8725"), "kind": "dear", "pieces": 1])
        let all = try rows(stack, average, by: ["kind"])
        #expect(all.map { $0["result"] as? Double } == [5.045, 15.8725, 19.5])
    }

    @Test("CD72 A decimal is converted to the nearest double by attributes, defaults and properties of that type")
    func nearestDouble() throws {
        let number = NSDecimalNumber(string: "15.8725")
        let stack = try stack()
        let sale = stack.insert("Sale", ["weight": number])
        #expect(sale.value(forKey: "weight") as? Double == 15.8725)
        sale.setValue(number, forKey: "price")
        let typed: Double? = sale.managedValue(forKey: "price")
        #expect(typed == 15.8725)
        let standard = Zoo.attribute("ratio", .doubleAttributeType)
        standard.defaultValue = number
        let entity = Zoo.entity("Line", NSManagedObject.self)
        entity.properties = [standard]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        #expect(try TestStack(model: model).insert("Line", [:]).value(forKey: "ratio") as? Double == 15.8725)
    }

    @Test(
        "A collection operator at the start of a column's key path aggregates over the rows",
        arguments: [
            ("@sum.price", "29.59"), ("@max.price", "19.5"), ("@min.price", "0.1"), ("@count", "3"),
            ("@sum.pieces", "5"),
            ("@avg.weight", "0.5"),
        ])
    func operators(path: String, expected: String) throws {
        let stack = try stack()
        for expression in [NSExpression(forKeyPath: path), NSExpression(format: path)] {
            let result = try rows(stack, column(expression, .decimalAttributeType)).first?["result"]
            #expect(result as? Decimal == Decimal(string: expected))
        }
    }

    @Test("A collection operator in a grouped request aggregates over each group")
    func operatorsInGroups() throws {
        let stack = try stack()
        let sums = try rows(
            stack, column(NSExpression(forKeyPath: "@sum.pieces"), .integer64AttributeType), by: ["kind"])
        #expect(sums.map { $0["result"] as? Int } == [3, 2])
    }

    @Test("CD72 Key-value coding sums and averages decimals of members as decimals")
    func members() throws {
        let stack = try stack()
        let shop = try #require(
            try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shop")).first)
        #expect(shop.value(forKeyPath: "sales.@sum.price") as? NSDecimalNumber == NSDecimalNumber(string: "29.59"))
        #expect(shop.value(forKeyPath: "sales.@avg.price") is NSDecimalNumber)
        #expect(shop.value(forKeyPath: "sales.@sum.pieces") as? Int == 5)
        #expect(shop.value(forKeyPath: "sales.@sum.weight") as? Double == 1.5)
    }
}
