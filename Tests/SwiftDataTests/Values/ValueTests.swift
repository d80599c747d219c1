import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SwiftData

struct Reading: Codable, Equatable {
    var values: [Double] = []
    var note = ""
}

/// Refuses to be encoded if its flag is set.
struct Stubborn: Codable, Equatable {
    var isStubborn = false
    struct Refusal: Error {}

    init(isStubborn: Bool) { self.isStubborn = isStubborn }

    init(from decoder: any Decoder) throws {
        isStubborn = try decoder.singleValueContainer().decode(Bool.self)
    }

    func encode(to encoder: any Encoder) throws {
        if isStubborn { throw Refusal() }
        var container = encoder.singleValueContainer()
        try container.encode(isStubborn)
    }
}

enum Gauge: Codable, Equatable {
    case off
    case level(Double)
    case stubborn(Stubborn)
}

struct Unknown: Equatable {}

/// Cannot be archived: a list with a refusing element, beside a plain member.
struct Crate: Codable, Equatable {
    var label = ""
    var items: [Stubborn] = []
}

@Model
final class Instrument {
    var name = ""
    var reading = Reading()
    var list: [Stubborn] = []
    var crate = Crate()
    var gauge = Gauge.off
    var spectrum: [Double] = []
    @Attribute(.transformable(by: "NobodyRegisteredThis")) var drawing: Unknown?
    var double = 1.5
    var optionalDouble: Double?
    var float: Float = 2.5
    var date = Date(timeIntervalSinceReferenceDate: 7)

    init(name: String) { self.name = name }
}

/// Accepts a value that may refuse to be encoded during initialisation.
@Model
final class PackedInstrument {
    var crate: Crate

    init(crate: Crate) { self.crate = crate }
}

enum Grade: Int, Codable {
    case low = 1
    case high = 5
}

enum NewerGrade: Int, Codable {
    case low = 1
    case high = 5
    case extreme = 99
}

enum Shape: Codable, Equatable {
    case dot
    case circle(Int)
    case box(Int)
}

enum NewerShape: Codable, Equatable {
    case dot
    case circle(String)
    case box(Int)
}

enum OlderProgram {
    struct Report: Codable, Equatable {
        var title = ""
        var grade = Grade.low
        var optionalGrade: Grade?
        var shape = Shape.dot
    }

    @Model
    final class Document {
        var report = Report()
        var optionalReport: Report?
        var grade = Grade.low
        init() {}
    }
}

enum NewerProgram {
    struct Report: Codable, Equatable {
        var title = ""
        var grade = NewerGrade.low
        var optionalGrade: NewerGrade?
        var shape = NewerShape.dot
    }

    @Model
    final class Document {
        var report = Report()
        var optionalReport: Report?
        var grade = NewerGrade.low
        init() {}
    }
}

@Model
class Creature {
    var name = "nobody"
    init() {}
    init(name: String) { self.name = name }
}

@Model
final class Retriever: Creature {
    @Transient var companion = Creature()
    var tricks = 0
    init(name: String, tricks: Int) {
        self.tricks = tricks
        super.init(name: name)
    }
}

/// Objects of the chain as initial values, declared after the persisted properties.
@Model
class Nester {
    var name: String
    @Transient var inner: Nester? = Nester.nested { Nester(name: "inner") }

    init(name: String) { self.name = name }

    /// Whether new objects contain further ones, which contain none.
    static let isNesting = Locked(false)

    static func nested<Object>(_ make: () -> Object) -> Object? {
        guard
            isNesting.withLock({ isNesting in
                defer { isNesting = false }
                return isNesting
            })
        else { return nil }
        defer { isNesting.withLock { $0 = true } }
        return make()
    }
}

@Model
class DeepNester: Nester {
    var depth: Int
    @Transient var above: Nester? = Nester.nested { Nester(name: "above") }

    init(name: String, depth: Int) {
        self.depth = depth
        super.init(name: name)
    }
}

@Model
final class DeepestNester: DeepNester {
    var note = "kept"
    @Transient var like: DeepestNester? = Nester.nested { DeepestNester(name: "like", depth: 7) }
}

@Suite("Values")
struct ValueTests {
    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Instrument.self, PackedInstrument.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    private func saved(_ change: (Instrument) -> Void = { _ in }) throws -> (ModelContext, Instrument) {
        let context = ModelContext(try container())
        let model = Instrument(name: "scale")
        change(model)
        context.insert(model)
        try context.save()
        return (context, model)
    }

    private func reloaded(_ context: ModelContext) throws -> Instrument {
        try #require(try ModelContext(context.container).fetch(FetchDescriptor<Instrument>()).first)
    }

    @Test("Infinities and NaN inside JSON survive a save")
    func infinitiesInJSON() throws {
        let (context, model) = try saved()
        model.reading = Reading(values: [.infinity, -.infinity, .nan, 0.1, 3], note: "n")
        model.gauge = .level(-.infinity)
        model.spectrum = [.infinity, 1]
        try context.save()
        let other = try reloaded(context)
        #expect(other.reading.values.count == 5)
        #expect(other.reading.values.prefix(2) == [.infinity, -.infinity])
        #expect(other.reading.values.dropFirst(2).first?.isNaN == true)
        #expect(other.reading.values.suffix(2) == [0.1, 3])
        #expect(other.gauge == .level(-.infinity))
        #expect(other.spectrum == [.infinity, 1])
    }

    @Test("A value that cannot be encoded keeps the stored one, and the save is refused")
    func refusedValues() throws {
        let (context, model) = try saved {
            $0.list = [Stubborn(isStubborn: false)]
            $0.crate = Crate(label: "a", items: [Stubborn(isStubborn: false)])
            $0.gauge = .level(4)
        }
        model.list = [Stubborn(isStubborn: true)]
        model.crate = Crate(label: "b", items: [Stubborn(isStubborn: true)])
        model.gauge = .stubborn(Stubborn(isStubborn: true))
        model.setValue(forKey: \.list, to: [Stubborn(isStubborn: true)])
        model.name = "renamed"
        #expect(model.list == [Stubborn(isStubborn: false)])
        #expect(model.crate == Crate(label: "a", items: [Stubborn(isStubborn: false)]))
        #expect(model.gauge == .level(4))
        #expect(refusals { try context.save() } == ["crate", "gauge", "list"])
        #expect(try reloaded(context).name != "renamed")
    }

    @Test("A save succeeds once the value that could not be encoded is set anew or rolled back")
    func refusedValuesTakenBack() throws {
        let (context, model) = try saved()
        model.list = [Stubborn(isStubborn: true)]
        model.crate = Crate(label: "b", items: [Stubborn(isStubborn: true)])
        #expect(refusals { try context.save() } == ["crate", "list"])
        model.list = [Stubborn(isStubborn: false)]
        model.setValue(forKey: \.crate, to: Crate(label: "c"))
        try context.save()
        let other = try reloaded(context)
        #expect(other.list == [Stubborn(isStubborn: false)] && other.crate == Crate(label: "c"))
        model.gauge = .stubborn(Stubborn(isStubborn: true))
        model.name = "renamed"
        context.rollback()
        #expect(!context.hasChanges)
        model.name = "renamed again"
        try context.save()
        #expect(try reloaded(context).name == "renamed again")
    }

    @Test("A new model with a value that cannot be encoded is not written, and neither are other changes of the save")
    func refusedInitialValues() throws {
        let (context, model) = try saved()
        let packed = PackedInstrument(crate: Crate(label: "f", items: [Stubborn(isStubborn: true)]))
        context.insert(packed)
        model.name = "renamed"
        #expect(refusals { try context.save() } == ["crate"])
        let other = ModelContext(context.container)
        #expect(try other.fetchCount(FetchDescriptor<PackedInstrument>()) == 0)
        #expect(try reloaded(context).name != "renamed")
        context.delete(packed)
        try context.save()
        #expect(try reloaded(context).name == "renamed")
    }

    /// The properties whose values a save reports as impossible to store.
    private func refusals(_ save: () throws -> Void) -> [String] {
        do {
            try save()
            return []
        } catch let error as CocoaError {
            let errors = error.userInfo["NSDetailedErrors"] as? [CocoaError] ?? [error]
            return errors.filter { $0.code.rawValue == 1550 }.compactMap {
                $0.userInfo["NSValidationErrorKey"] as? String
            }
        } catch {
            return ["\(error)"]
        }
    }

    @Test("Without its transformer a value is not overwritten by nil, and nil can still be set")
    func unregisteredTransformer() throws {
        let (context, model) = try saved()
        model.drawing = Unknown()
        #expect(refusals { try context.save() } == ["drawing"])
        model.drawing = nil
        try context.save()
        #expect(model.drawing == nil)
    }

    @Test("DV32 NaN is stored as NULL")
    func notANumber() throws {
        let (context, model) = try saved {
            $0.double = 3
            $0.optionalDouble = 3
            $0.float = 3
        }
        model.double = .nan
        model.optionalDouble = .nan
        model.float = .nan
        model.date = Date(timeIntervalSinceReferenceDate: .nan)
        #expect(model.double.isNaN)
        try context.save()
        let other = try reloaded(context)
        #expect(other.double == 1.5)
        #expect(other.optionalDouble == nil)
        #expect(other.float == 2.5)
        #expect(other.date == Date(timeIntervalSinceReferenceDate: 7))
    }

    @Test("Archived keys of different types with equal texts do not trap")
    func archivedKeys() throws {
        let map = NSDictionary(
            objects: [NSNumber(value: 1), NSNumber(value: 2)],
            forKeys: [NSNumber(value: 1), NSString(string: "1")] as [NSObject & NSCopying])
        let archive = try NSKeyedArchiver.archivedData(withRootObject: map, requiringSecureCoding: true)
        let ages = try #require(KeyedArchive.value(of: [String: Int].self, in: archive))
        #expect(ages.count == 1)
        #expect([1, 2].contains(ages["1"]))
    }

    // MARK: Values of a newer program

    /// A file that a newer program wrote, opened by an older one.
    private func documentOfNewerProgram(_ fill: (NewerProgram.Document) -> Void) throws -> (
        TemporaryFolder, ModelContainer
    ) {
        let folder = try TemporaryFolder()
        let context = ModelContext(try newer(folder))
        let document = NewerProgram.Document()
        fill(document)
        context.insert(document)
        try context.save()
        let configuration = ModelConfiguration(url: folder.appendingPathComponent("a.store"))
        return (folder, try ModelContainer(for: OlderProgram.Document.self, configurations: configuration))
    }

    private func newer(_ folder: TemporaryFolder) throws -> ModelContainer {
        let configuration = ModelConfiguration(url: folder.appendingPathComponent("a.store"))
        return try ModelContainer(for: NewerProgram.Document.self, configurations: configuration)
    }

    @Test("A newer program's raw value reads as the default and survives edits of other properties")
    func unknownRawValue() throws {
        let (folder, container) = try documentOfNewerProgram {
            $0.grade = .extreme
            $0.report = .init(title: "a", grade: .extreme, optionalGrade: .extreme, shape: .circle("wide"))
        }
        defer { folder.remove() }
        let context = ModelContext(container)
        let document = try #require(try context.fetch(FetchDescriptor<OlderProgram.Document>()).first)
        #expect(document.grade == .low)
        #expect(document.report == .init(title: "a"))
        document.report.title = "b"
        try context.save()
        let reread = try #require(try ModelContext(newer(folder)).fetch(FetchDescriptor<NewerProgram.Document>()).first)
        #expect(
            reread.report == .init(title: "b", grade: .extreme, optionalGrade: .extreme, shape: .circle("wide")))
        #expect(reread.grade == .extreme)
    }

    @Test("Setting a newer program's value replaces it, in every leaf")
    func replacedUnknown() throws {
        let (folder, container) = try documentOfNewerProgram {
            $0.grade = .extreme
            $0.report = .init(title: "a", grade: .extreme, optionalGrade: .extreme, shape: .circle("wide"))
            $0.optionalReport = .init(title: "a", grade: .extreme)
        }
        defer { folder.remove() }
        let context = ModelContext(container)
        let document = try #require(try context.fetch(FetchDescriptor<OlderProgram.Document>()).first)
        document.grade = .low
        document.report.grade = .high
        document.report.shape = .box(3)
        document.optionalReport = nil
        #expect(document.report.shape == .box(3))
        try context.save()
        let reread = try #require(try ModelContext(newer(folder)).fetch(FetchDescriptor<NewerProgram.Document>()).first)
        #expect(reread.grade == .low)
        #expect(reread.report == .init(title: "a", grade: .high, optionalGrade: .extreme, shape: .box(3)))
        #expect(reread.optionalReport == nil)
    }

    // MARK: Objects created while another is created for a row

    @Test("A model as the initial value of a transient property declared first gets a record of its own")
    func nestedModel() throws {
        let container = try ModelContainer(
            for: Creature.self, Retriever.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Retriever(name: "Rex", tricks: 3))
        try context.save()
        let other = ModelContext(container)
        let hound = try #require(try other.fetch(FetchDescriptor<Retriever>()).first)
        #expect(hound.name == "Rex")
        #expect(hound.tricks == 3)
        #expect(hound.companion.name == "nobody")
        hound.companion.name = "Tom"
        #expect(hound.name == "Rex")
        #expect(!other.hasChanges)
    }

    @Test(
        "A model as the initial value of a property declared last gets a record of its own, at every level of a chain")
    func nestedModelDeclaredLast() throws {
        let container = try ModelContainer(
            for: Nester.self, DeepNester.self, DeepestNester.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Nester(name: "A"))
        context.insert(DeepNester(name: "B", depth: 2))
        let third = DeepestNester(name: "C", depth: 3)
        third.note = "changed note"
        context.insert(third)
        try context.save()

        let other = ModelContext(container)
        Nester.isNesting.withLock { $0 = true }
        defer { Nester.isNesting.withLock { $0 = false } }
        let found = try other.fetch(FetchDescriptor<Nester>(sortBy: [SortDescriptor(\.name)]))
        #expect(found.map(\.name) == ["A", "B", "C"])
        #expect(found.map { $0.inner?.name } == ["inner", "inner", "inner"])
        #expect((found[1] as? DeepNester)?.depth == 2)
        let deepest = try #require(found[2] as? DeepestNester)
        #expect(deepest.depth == 3)
        #expect(deepest.note == "changed note")
        #expect(deepest.like?.note == "kept")
        #expect(deepest.like?.depth == 7)
        deepest.inner?.name = "changed"
        deepest.like?.depth = 8
        #expect(found.map(\.name) == ["A", "B", "C"])
        #expect(deepest.depth == 3)
        #expect(!other.hasChanges)
    }
}
