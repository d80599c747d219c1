import BenchmarkModels
import BenchmarkSupport
import Foundation
import HandWritten
import SwiftData

/// The result of a piece of work. `kept` holds objects whose release is not measured.
struct Outcome {
    var rows: Int
    var checksum = 0.0
    var kept: Any?
}

/// The workloads through the library. The functions open the store and prepare input, the closures they return do the measured
/// work.
struct LibraryWork {
    typealias Animal = GraphModels.Animal
    typealias AnimalCategory = GraphModels.AnimalCategory

    let workload: Workload
    let count: Int
    /// Empty for work without a store.
    let path: String

    func prepared() throws -> () throws -> Outcome {
        switch workload {
        case .insert: try insert()
        case .fetch, .hold: try fetch(FetchDescriptor<Animal>())
        case .byIdentifier: try byIdentifier()
        case .filtered: try fetch(Self.filtered)
        case .update: try update()
        case .delete: try delete()
        case .deleteGraph: try deleteGraph()
        case .make: make()
        }
    }

    /// A context whose store was used once: reading the file's schema is not part of the measurement.
    private func context() throws -> ModelContext {
        let context = ModelContext(try StoreFile.container(GraphModels.types, at: path))
        _ = try context.fetchCount(FetchDescriptor<AnimalCategory>())
        return context
    }

    private func contextOfTwoEntities() throws -> ModelContext {
        let context = ModelContext(try StoreFile.container(NullifyModels.types, at: path))
        _ = try context.fetchCount(FetchDescriptor<NullifyModels.AnimalCategory>())
        return context
    }

    // MARK: Inserting

    private func insert() throws -> () throws -> Outcome {
        let context = try context()
        let values = AnimalValues.all(count)
        let byName = SortDescriptor(\AnimalCategory.name, comparator: .lexical)
        let categories = try context.fetch(FetchDescriptor<AnimalCategory>(sortBy: [byName]))
        let order = Self.categoryOrder(categories.count)
        return {
            for value in values {
                context.insert(Self.animal(value, in: categories[order[value.category - 1]]))
            }
            try context.save()
            return Outcome(rows: values.count, kept: context)
        }
    }

    /// The place of each category, by key, among the categories by name.
    private static func categoryOrder(_ count: Int) -> [Int] {
        (1...max(count, 1)).map { ($0 * 7919 + 12345) % max(count, 1) }
    }

    private static func animal(_ value: AnimalValues, in category: AnimalCategory?) -> Animal {
        Animal(
            name: value.name, diet: value.diet, age: value.age, weight: value.weight, born: value.born,
            category: category)
    }

    /// After one instance, with which the class's properties are looked up once.
    private func make() -> () throws -> Outcome {
        let values = AnimalValues.all(count)
        for value in values.prefix(1) { _ = Self.animal(value, in: nil) }
        return {
            var animals: [Animal] = []
            animals.reserveCapacity(values.count)
            for value in values { animals.append(Self.animal(value, in: nil)) }
            return Outcome(rows: animals.count, kept: animals)
        }
    }

    // MARK: Fetching

    private static var filtered: FetchDescriptor<Animal> {
        FetchDescriptor(
            predicate: #Predicate { $0.age >= 50 && $0.diet == "carnivore" },
            sortBy: [SortDescriptor(\.weight, order: .reverse), SortDescriptor(\.born)])
    }

    private func fetch(_ descriptor: FetchDescriptor<Animal>) throws -> () throws -> Outcome {
        let context = try context()
        return {
            let animals = try context.fetch(descriptor)
            var checksum = 0.0
            for animal in animals { checksum += Self.read(animal) }
            return Outcome(rows: animals.count, checksum: checksum, kept: (context, animals))
        }
    }

    /// Reads six properties.
    @inline(__always)
    private static func read(_ animal: Animal) -> Double {
        Double(animal.age) + animal.weight + animal.born.timeIntervalSinceReferenceDate
            + Double(animal.diet.utf8.count) + Double(animal.name.utf8.count) + (animal.category == nil ? 0 : 1)
    }

    private func byIdentifier() throws -> () throws -> Outcome {
        let identifiers = try context().fetchIdentifiers(FetchDescriptor<Animal>())
        let chosen = (0..<1000).map { identifiers[Int(hw_random(9, UInt64($0)) % UInt64(count))] }
        let context = try context()
        return {
            var animals: [Animal] = []
            var checksum = 0.0
            for identifier in chosen {
                guard let animal = context.model(for: identifier) as? Animal else { continue }
                checksum += Self.read(animal)
                animals.append(animal)
            }
            return Outcome(rows: animals.count, checksum: checksum, kept: (context, animals))
        }
    }

    // MARK: Changing

    private func update() throws -> () throws -> Outcome {
        let context = try context()
        return {
            let animals = try context.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0.age >= 50 }))
            for animal in animals { animal.weight += 1 }
            try context.save()
            return Outcome(rows: animals.count, kept: (context, animals))
        }
    }

    private func delete() throws -> () throws -> Outcome {
        let context = try contextOfTwoEntities()
        return {
            let animals = try context.fetch(
                FetchDescriptor<NullifyModels.Animal>(predicate: #Predicate { $0.age >= 50 }))
            for animal in animals { context.delete(animal) }
            try context.save()
            return Outcome(rows: animals.count, kept: (context, animals))
        }
    }

    private func deleteGraph() throws -> () throws -> Outcome {
        let context = try context()
        let threshold = CategoryThreshold.half(count)
        return {
            let categories = try context.fetch(
                FetchDescriptor<AnimalCategory>(predicate: #Predicate { $0.name < threshold }))
            var rows = categories.count
            var kept: [[Animal]] = []
            for category in categories {
                let animals = category.animals
                for animal in animals { context.delete(animal) }
                rows += animals.count
                kept.append(animals)
                context.delete(category)
            }
            try context.save()
            return Outcome(rows: rows, kept: (context, categories, kept))
        }
    }
}
