import CoreData
import Foundation
import Testing

@Suite("NSSortDescriptor")
struct NSSortDescriptorTests {
    private let rows: [[String: Any]] = [
        ["name": "b10", "age": 3], ["name": "B2", "age": 1], ["name": "a", "age": 1], ["age": 2],
    ]

    private func order(_ descriptors: [NSSortDescriptor]) -> [String] {
        NSArray(array: rows).sortedArray(using: descriptors).map {
            (($0 as? [String: Any])?["name"] as? String) ?? "nil"
        }
    }

    @Test("keys sort by value, nil first, and selectors choose how texts compare")
    func keys() {
        #expect(order([NSSortDescriptor(key: "name", ascending: true)]) == ["nil", "B2", "a", "b10"])
        #expect(order([NSSortDescriptor(key: "name", ascending: false)]) == ["b10", "a", "B2", "nil"])
        let insensitive = NSSortDescriptor(key: "name", ascending: true, selector: Selector("caseInsensitiveCompare:"))
        #expect(order([insensitive]) == ["nil", "a", "b10", "B2"])
        let standard = NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:")
        #expect(order([standard]) == ["nil", "a", "B2", "b10"])
        let both = [NSSortDescriptor(key: "age", ascending: true), NSSortDescriptor(key: "name", ascending: false)]
        #expect(order(both) == ["a", "B2", "nil", "b10"])
    }

    @Test("closures and Swift key paths sort too")
    func closures() throws {
        final class Person: NSObject {
            let name: String?
            init(_ name: String) { self.name = name }
        }
        let people = [Person("b"), Person("a")]
        let byName = NSSortDescriptor(keyPath: \Person.name, ascending: true)
        #expect(byName.key == "name")
        #expect(people.sorted { byName.compare($0, to: $1) == .orderedAscending }.map(\.name) == ["a", "b"])
        let byLength = NSSortDescriptor(key: "name", ascending: true) { first, second in
            let (first, second) = ((first as? String ?? "").count, (second as? String ?? "").count)
            return first < second ? .orderedAscending : first > second ? .orderedDescending : .orderedSame
        }
        #expect(order([byLength]) == ["nil", "a", "B2", "b10"])
    }

    @Test("equality, reversal and archiving")
    func values() throws {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: true, selector: "localizedCompare:")
        #expect(descriptor == NSSortDescriptor(key: "a.b", ascending: true, selector: "localizedCompare:"))
        #expect(descriptor != NSSortDescriptor(key: "a.b", ascending: true))
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        #expect(!reversed.ascending && reversed.key == "a.b")
        let data = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
        let read =
            try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSSortDescriptor.self], from: data) as? NSSortDescriptor
        #expect(read == descriptor)
    }

    @Test("archives keep the objects' own order; archiving code throws and the process continues")
    func archives() throws {
        func archived(_ descriptor: NSSortDescriptor) throws -> NSSortDescriptor? {
            let data = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
            return try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: data)
        }
        let own = try #require(try archived(NSSortDescriptor(key: nil, ascending: false)))
        #expect(own.key == nil && !own.ascending)
        #expect([1, 3, 2].sorted { own.compare($0, to: $1) == .orderedAscending } == [3, 2, 1])
        let code = [
            NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame },
            NSSortDescriptor(keyPath: \NSString.length, ascending: true) { _, _ in .orderedSame },
        ]
        for descriptor in code {
            let error = #expect(throws: CocoaError.self) { try archived(descriptor) }
            #expect(error?.code == .coderInvalidValue)
        }
    }
}
