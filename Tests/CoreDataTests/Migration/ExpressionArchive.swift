import AppleFormats
import Foundation
import SQLiteStore

/// An expression in the layout of Foundation's archiver on Apple's systems.
indirect enum ArchivedPart: Sendable {
    case text(String)
    case number(Int64)
    case variable(String)
    /// `$variable.path`
    case path(String, of: String)
    /// A function of the language.
    case function(String, [ArchivedPart])
    /// `FUNCTION(target, "selector", …)`
    case call(ArchivedPart, String, [ArchivedPart])
    case fetch(request: ArchivedPart, context: ArchivedPart)
    /// An expression that this library does not know.
    case unknown
}

/// Writes keyed archives, for tests of their readers.
struct ArchiveWriter {
    private var objects: [PropertyList] = [.string("$null")]

    static func archive(_ part: ArchivedPart) -> Data {
        var writer = ArchiveWriter()
        let root = writer.add(part)
        return writer.finished(root)
    }

    static func archive(notes: [String: String]) -> Data {
        var writer = ArchiveWriter()
        let root = writer.add(notes: notes)
        return writer.finished(root)
    }

    func finished(_ root: PropertyList) -> Data {
        PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
            "$top": .dictionary(["root": root]),
        ]).binary
    }

    mutating func add(_ value: PropertyList) -> PropertyList {
        objects.append(value)
        return .uid(UInt64(objects.count - 1))
    }

    mutating func add(_ className: String, _ fields: [String: PropertyList]) -> PropertyList {
        var fields = fields
        fields["$class"] = add(
            .dictionary(["$classname": .string(className), "$classes": .array([.string(className)])]))
        return add(.dictionary(fields))
    }

    mutating func add(list elements: [PropertyList]) -> PropertyList {
        add("NSArray", ["NS.objects": .array(elements)])
    }

    mutating func add(notes: [String: String]) -> PropertyList {
        let sorted = notes.sorted { $0.key < $1.key }
        let (keys, values) = (sorted.map { add(.string($0.key)) }, sorted.map { add(.string($0.value)) })
        return add("NSDictionary", ["NS.keys": .array(keys), "NS.objects": .array(values)])
    }

    mutating func add(_ part: ArchivedPart) -> PropertyList {
        switch part {
        case .text(let text):
            add("NSConstantValueExpression", ["NSExpressionType": .integer(0), "NSConstantValue": add(.string(text))])
        case .number(let number):
            add(
                "NSConstantValueExpression",
                ["NSExpressionType": .integer(0), "NSConstantValue": add(.integer(number))])
        case .variable(let name):
            add("NSVariableExpression", ["NSExpressionType": .integer(2), "NSVariable": add(.string(name))])
        case .path(let path, let variable):
            add(
                "NSKeyPathExpression", "valueForKeyPath:", operand: add(.variable(variable)),
                [
                    add(
                        "NSKeyPathSpecifierExpression",
                        ["NSExpressionType": .integer(10), "NSKeyPath": add(.string(path))])
                ])
        case .function(let name, let arguments):
            add(
                "NSFunctionExpression", name,
                operand: add(
                    "NSConstantValueExpression",
                    [
                        "NSExpressionType": .integer(0),
                        "NSConstantValueClassName": add(.string("_NSPredicateUtilities")),
                    ]),
                arguments.map { add($0) })
        case .call(let target, let selector, let arguments):
            add("NSFunctionExpression", selector, operand: add(target), arguments.map { add($0) })
        case .fetch(let request, let context):
            add(
                "NSFetchRequestExpression",
                ["NSExpressionType": .integer(50), "NSFRExpression": add(request), "NSMOCExpression": add(context)])
        case .unknown: add("NSBlockExpression", ["NSExpressionType": .integer(19)])
        }
    }

    private mutating func add(
        _ className: String, _ selector: String, operand: PropertyList, _ arguments: [PropertyList]
    ) -> PropertyList {
        add(
            className,
            [
                "NSExpressionType": .integer(4), "NSOperand": operand, "NSSelectorName": add(.string(selector)),
                "NSArguments": add(list: arguments),
            ])
    }
}
