import Foundation
import SwiftData
import Testing

/// Apple's documented `PersistentModel` requirements, adopted without the macro.
private final class Handwritten: PersistentModel {
    private var data: any BackingData<Handwritten> = Handwritten.createBackingData()

    var persistentBackingData: any BackingData<Handwritten> {
        get { data }
        set { data = newValue }
    }

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [
            Schema.PropertyMetadata(
                name: "name", keypath: \Handwritten.name, defaultValue: nil, metadata: Schema.Attribute(.unique)),
            Schema.PropertyMetadata(name: "next", keypath: \Handwritten.next, defaultValue: nil, metadata: nil),
        ]
    }

    var name: String {
        get { getValue(forKey: \.name) }
        set { setValue(forKey: \.name, to: newValue) }
    }

    var next: Handwritten? {
        get { getValue(forKey: \.next) }
        set { setValue(forKey: \.next, to: newValue) }
    }

    init(name: String) { self.name = name }

    init(backingData: any BackingData<Handwritten>) { data = backingData }
}

@Model
private class Base {
    var number: Int
    init(number: Int) { self.number = number }
}

@Model
private final class Derived: Base {
    var text: String

    init(text: String) {
        self.text = text
        super.init(number: 1)
    }
}

@Suite("Models and backing data without the macro's help")
struct HandwrittenModelTests {
    private let memory = ModelConfiguration(isStoredInMemoryOnly: true)

    @Test("a class that adopts the protocol by hand is stored, linked, found and deleted")
    func handwritten() throws {
        let container = try ModelContainer(for: Handwritten.self, configurations: memory)
        let context = ModelContext(container)
        let (first, second) = (Handwritten(name: "first"), Handwritten(name: "second"))
        context.insert(first)
        first.next = second
        first.name += "!"
        try context.save()
        let reader = ModelContext(container)
        let read = try #require(
            try reader.fetch(FetchDescriptor<Handwritten>(predicate: #Predicate { $0.name == "first!" })).first)
        #expect(read.next?.name == "second" && read.persistentModelID == first.persistentModelID)
        reader.delete(read)
        try reader.save()
        #expect(try context.fetch(FetchDescriptor<Handwritten>()).map(\.name) == ["second"])
    }

    /// As generic code of programs uses it.
    private func text<M: PersistentModel>(of model: M, _ keyPath: KeyPath<M, String>) -> String {
        let data: any BackingData<M> = model.persistentBackingData
        return data.getValue(forKey: keyPath)
    }

    @Test("backing data is of the model's own type, also below another model")
    func ownType() throws {
        let container = try ModelContainer(for: Base.self, Derived.self, configurations: memory)
        let context = ModelContext(container)
        let derived = Derived(text: "text")
        context.insert(derived)
        #expect(text(of: derived, \.text) == "text")
        try context.save()
        let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Derived>()).first)
        #expect(read.text == "text" && read.number == 1)
        #expect(text(of: read, \.text) == "text")
    }
}
