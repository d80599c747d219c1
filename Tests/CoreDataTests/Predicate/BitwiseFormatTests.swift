import CoreData
import Testing

@Suite("Bitwise operators in formats")
struct BitwiseFormatTests {
    @Test(
        "CD73 Bitwise operators bind tighter than comparisons and looser than +, in stores and in memory",
        arguments: [
            ("(rank & %d) != 0", ["b", "c", "d"]), ("rank & %d == 2", ["b", "c", "d"]),
            ("(rank | 1) == 3", ["b", "c"]),
            ("(rank ^ 3) == 0", ["c"]), ("rank << 1 == 4", ["b"]), ("rank >> 1 == 3", ["d"]), ("~rank == -2", ["a"]),
            ("rank & 1 + 1 == 2", ["b", "c", "d"]), ("rank & 2 != 0 && rank & 1 != 0 || rank == 1", ["a", "c"]),
        ])
    func operators(format: String, expected: [String]) throws {
        let stack = try TestStack()
        for (name, rank) in [("a", 1), ("b", 2), ("c", 3), ("d", 6)] {
            stack.insert("Category", ["name": name, "rank": rank])
        }
        try stack.context.save()
        let predicate = NSPredicate(format: format, 2)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Category")
        let all = try stack.context.fetch(request)
        request.predicate = predicate
        func names(_ objects: [NSManagedObject]) -> [String] {
            objects.compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
        #expect(names(try stack.newContext().fetch(request)) == expected)
        #expect(names(all.filter { predicate.evaluate(with: $0) }) == expected)
        #expect(NSPredicate(format: predicate.formatText) == predicate)
    }

    @Test("CD73 Shifts bind tighter than &, & tighter than ^, and ^ tighter than |")
    func precedence() {
        #expect(
            NSExpression(format: "1 | 6 ^ 5 & 3 << 1").expressionValue(with: nil, context: nil) as? Int == 1
                | (6 ^ (5 & (3 << 1))))
        #expect(NSExpression(format: "~5").expressionValue(with: nil, context: nil) as? Int == ~5)
    }
}
