import Foundation
import TestSupport
import Testing

@testable import AppleFormats
@testable import SQLiteStore

/// Keyed archives in columns. `OPENSWIFTDATA_FUZZ_COUNT` sets the number of damaged ones; `OPENSWIFTDATA_SEED` which.
@Suite("Keyed archives in columns")
struct ColumnArchiveTests {
    private static let count = Seeds.damagedInputs(2_000)

    private static let classes: [AnyClass] = [
        NSString.self, NSNumber.self, NSArray.self, NSDictionary.self, NSSet.self, NSData.self, NSDate.self,
        NSURL.self, NSUUID.self, NSOrderedSet.self, NSNull.self,
    ]

    private static func archive(_ object: NSObject) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    }

    private static func samples() throws -> [NSObject] {
        let url = try #require(NSURL(string: "https://example.org/a?b=c#d"))
        let uuid = try #require(NSUUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let singles: [NSObject] = [
            NSString(string: "Zoë 🦊"), NSString(string: ""), NSMutableString(string: "can change"), NSNumber(value: 42),
            NSNumber(value: -7), NSNumber(value: Int64.max), NSNumber(value: true), NSNumber(value: 0.1),
            NSData(data: Data([1, 2, 3])), NSMutableData(data: Data([4])),
            NSDate(timeIntervalSinceReferenceDate: 123.5),
            url, uuid, NSNull(),
        ]
        let array = NSArray(array: singles)
        return singles + [
            array, NSArray(), NSMutableArray(array: [1, 2]), NSSet(array: [NSString(string: "a"), NSNumber(value: 1)]),
            NSOrderedSet(array: [NSString(string: "b"), NSString(string: "a")]),
            NSDictionary(objects: singles, forKeys: (0..<singles.count).map { NSString(string: "key \($0)") }),
            NSArray(array: [array, array, NSDictionary(objects: [array], forKeys: [NSNumber(value: 3)])]),
        ]
    }

    @Test("are read as the archived objects, of every class, as Foundation reads them")
    func agreement() throws {
        for sample in try Self.samples() {
            let data = try Self.archive(sample)
            let object = try ColumnArchive(data).object()
            #expect(object.isEqual(sample), "\(sample)")
            let theirs = try NSKeyedUnarchiver.unarchivedObject(ofClasses: Self.classes, from: data) as? NSObject
            #expect(object.isEqual(theirs), "\(sample)")
        }
        let price = NSDecimalNumber(string: "-12.345")
        let class_ = PropertyList.dictionary(["$classname": .string("NSDecimalNumber")])
        let fields = PropertyList.dictionary([
            "$class": .uid(2), "NS.exponent": .integer(-3), "NS.negative": .boolean(true),
            "NS.mantissa": .data(Data([0x39, 0x30] + [UInt8](repeating: 0, count: 14))), "NS.mantissa.bo": .integer(1),
        ])
        #expect(try ColumnArchive(archive([fields, class_])).object() == price)
    }

    // MARK: Hostile ones

    /// An archive of these objects after the null object; the first is the root.
    private func archive(_ objects: [PropertyList]) -> Data {
        PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]), "$objects": .array([.string("$null")] + objects),
        ]).binary
    }

    private func list(_ references: [UInt64], class number: UInt64) -> PropertyList {
        .dictionary(["$class": .uid(number), "NS.objects": .array(references.map(PropertyList.uid))])
    }

    private func kind(_ name: String) -> PropertyList {
        .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
    }

    private func check(_ objects: [PropertyList], _ error: ColumnArchiveError) {
        let data = archive(objects)
        #expect(throws: error) { try ColumnArchive(data).object() }
        #expect(!error.description.isEmpty)
    }

    @Test("are refused if an object contains itself, or if they nest or expand excessively")
    func shapes() {
        check([list([1], class: 2), kind("NSArray")], .circular)
        check([list([2], class: 3), list([1], class: 3), kind("NSSet")], .circular)
        // Each contains the next one.
        check([list([3], class: 2), kind("NSArray")] + (4..<3000).map { list([$0], class: 2) }, .tooDeep)
        // Thirty levels of two times the next one are a billion objects.
        let levels = (0..<30).map { list([UInt64($0) + 4, UInt64($0) + 4], class: 2) }
        check([list([3], class: 2), kind("NSArray")] + levels + [.string("end")], .tooLarge)
        let keys = PropertyList.dictionary([
            "$class": .uid(2), "NS.keys": .array([.uid(1)]), "NS.objects": .array([.uid(3)]),
        ])
        check([keys, kind("NSDictionary"), .string("value")], .circular)
        // A cycle through a field that only some readers read.
        let url = PropertyList.dictionary(["$class": .uid(2), "NS.base": .uid(1), "NS.relative": .uid(3)])
        check([url, kind("NSURL"), .string("a")], .circular)
    }

    @Test("are refused if lists within them expand to far more than their bytes")
    func unfolding() throws {
        // Lists of the property list itself, each with the next one twice: no writer makes such.
        let levels = 40
        var objects: [[UInt8]] = []
        for level in 0..<levels { objects.append([0xA2, UInt8(level + 1), UInt8(level + 1)]) }
        objects.append([0x09])
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [objects.count, 0, table] {
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        #expect(throws: ColumnArchiveError.unreadable(.tooLarge)) { try ColumnArchive(Data(bytes)) }
    }

    @Test("are refused if references dangle, or fields do not fit the class")
    func fields() {
        check([list([9], class: 2), kind("NSArray")], .damaged(className: "reference"))
        check([list([0], class: 2), kind("NSArray")], .damaged(className: "reference"))
        check([.array([.string("bare")])], .damaged(className: "object"))
        check([.dictionary(["$class": .uid(1)])], .damaged(className: "object"))
        for name in [
            "NSArray", "NSDictionary", "NSDate", "NSUUID", "NSURL", "NSMutableString", "NSData", "NSDecimalNumber",
        ] {
            check([.dictionary(["$class": .uid(2)]), kind(name)], .damaged(className: name))
        }
        let odd = PropertyList.dictionary([
            "$class": .uid(2), "NS.keys": .array([.uid(3)]), "NS.objects": .array([]),
        ])
        check([odd, kind("NSDictionary"), .string("key")], .damaged(className: "NSDictionary"))
        let short = PropertyList.dictionary(["$class": .uid(2), "NS.uuidbytes": .data(Data([1, 2]))])
        check([short, kind("NSUUID")], .damaged(className: "NSUUID"))
        #expect(throws: ColumnArchiveError.unreadable(.notBinary)) { try ColumnArchive(Data("<plist/>".utf8)) }
        #expect(throws: ColumnArchiveError.notAnArchive) { try ColumnArchive(PropertyList.array([]).binary) }
    }

    @Test("are refused with the class's name when an object is of another class")
    func otherClasses() throws {
        let point = PropertyList.dictionary(["$class": .uid(4), "name": .uid(5)])
        check(
            [list([2, 3], class: 6), .string("a"), point, kind("Point"), .string("p"), kind("NSArray")],
            .otherClass("Point"))
        // A set of lists, and lists as keys, do not exist in Swift.
        check([list([3], class: 2), kind("NSSet"), list([], class: 4), kind("NSArray")], .damaged(className: "NSSet"))
        let keys = PropertyList.dictionary([
            "$class": .uid(2), "NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(3)]),
        ])
        check(
            [keys, kind("NSDictionary"), list([], class: 4), kind("NSArray")], .damaged(className: "NSDictionary"))
        // An archive that would be no `URL`.
        let url = PropertyList.dictionary(["$class": .uid(2), "NS.base": .uid(0), "NS.relative": .uid(3)])
        check([url, kind("NSURL"), .string("")], .damaged(className: "NSURL"))
    }

    // MARK: Damaged ones

    @Test("are refused or read as other objects if damaged; the process never traps")
    func damaged() throws {
        var originals: [[UInt8]] = []
        for sample in try Self.samples() { originals.append(Array(try Self.archive(sample))) }
        var random = SeededGenerator(seed: Seeds.base &* 1_000_003)
        var (refused, read) = (0, 0)
        for _ in 0..<Self.count {
            let original = originals.randomElement(using: &random) ?? []
            let isMisled = Bool.random(using: &random)
            let data = isMisled ? try misled(original, &random) : Data(withDamage(original, &random))
            do throws(ColumnArchiveError) {
                let object = try ColumnArchive(data).object()
                read += 1
                // Reads everything as Swift values; numbers may be NaN, and so not equal themselves.
                _ = object.isEqual(object)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0 && read > 0, "seed \(Seeds.base)")
    }

    /// Some references are redirected to other objects, and some fields are swapped.
    private func misled(_ original: [UInt8], _ random: inout SeededGenerator) throws -> Data {
        let whole = try PropertyList(binary: Data(original))
        guard var content = whole.dictionaryValue, var objects = content["$objects"]?.arrayValue else { return Data() }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard let place = objects.indices.randomElement(using: &random) else { break }
            if Int.random(in: 0..<4, using: &random) == 0, let other = objects.randomElement(using: &random) {
                objects[place] = other
            } else {
                objects[place] = misled(objects[place], UInt64(objects.count), &random)
            }
        }
        content["$objects"] = .array(objects)
        return PropertyList.dictionary(content).binary
    }

    private func misled(_ list: PropertyList, _ count: UInt64, _ random: inout SeededGenerator) -> PropertyList {
        switch list {
        case .uid: return .uid(.random(in: 0...count, using: &random))
        case .array(let elements):
            var elements = elements
            if let place = elements.indices.randomElement(using: &random) {
                elements[place] = misled(elements[place], count, &random)
            }
            return .array(elements)
        case .dictionary(var entries):
            if let key = entries.keys.sorted().randomElement(using: &random), let value = entries[key] {
                entries[key] = misled(value, count, &random)
            }
            return .dictionary(entries)
        case .string: return .string(["", "NSArray", "NSDate", "$null"].randomElement(using: &random) ?? "")
        case .integer: return .integer(.random(in: .min ... .max, using: &random))
        case .data: return .data(Data())
        case .real: return .real([.nan, .infinity, -1e300, 0].randomElement(using: &random) ?? 0)
        default: return .null
        }
    }
}
