import BenchmarkModels
import BenchmarkSupport
import Foundation
import HandWritten
import SwiftData

/// The workloads through the library. The functions open the store and prepare input, the closures they return do the measured
/// work; a closure's result is alive when the clock stops.
struct Work: PreparedWork {
    let arguments: Arguments

    /// A file with rows of other programs, with the metadata that the models of the workload need. Deletes "without rule", and
    /// those that keep the animals, use two entities only.
    func adopt() throws {
        let model = arguments.path + ".model"
        StoreFile.remove(model)
        _ = try StoreFile.container(types, at: model)
        hw_adopt(arguments.path, model, arguments.history)
        StoreFile.remove(model)
    }

    private var types: [any PersistentModel.Type] {
        switch arguments.workload {
        case .deleteAll, .deleteHalf, .nullify: NullifyModels.types
        default: GraphModels.types
        }
    }

    func prepared() throws -> () throws -> Any {
        let context = ModelContext(try StoreFile.container(types, at: arguments.path))
        return switch arguments.workload {
        case .insert: try insert(context)
        case .deleteAll: batch(context) { try context.delete(model: NullifyModels.Animal.self) }
        case .deleteHalf:
            batch(context) {
                try context.delete(model: NullifyModels.Animal.self, where: #Predicate { $0.age >= 50 })
            }
        case .cascade: try cascade(context)
        case .nullify: nullify(context)
        case .updateHalf: update(context)
        case .fetchRows, .fetchObjects: fetch(context)
        case .fetchByIdentifier: try fetchByIdentifier(context)
        case .objectDelete: deleteObjects(context)
        }
    }

    // MARK: Inserting and reading

    private func insert(_ context: ModelContext) throws -> () throws -> Any {
        let values = AnimalValues.all(arguments.count)
        var categories: [Int: GraphModels.AnimalCategory] = [:]
        // In order of key, which begins at 1.
        for (index, category) in try context.fetch(FetchDescriptor<GraphModels.AnimalCategory>()).enumerated() {
            categories[index + 1] = category
        }
        if arguments.appends { return append(values, to: categories, context) }
        return {
            for value in values {
                context.insert(
                    GraphModels.Animal(
                        name: value.name, diet: value.diet, age: value.age, weight: value.weight, born: value.born,
                        category: categories[value.category]))
            }
            try context.save()
            return context
        }
    }

    private func append(
        _ values: [AnimalValues], to categories: [Int: GraphModels.AnimalCategory], _ context: ModelContext
    ) -> () throws -> Any {
        {
            for value in values {
                let animal = GraphModels.Animal(
                    name: value.name, diet: value.diet, age: value.age, weight: value.weight, born: value.born)
                categories[value.category]?.animals.append(animal)
            }
            try context.save()
            return context
        }
    }

    private func fetch(_ context: ModelContext) -> () throws -> Any {
        {
            let animals = try context.fetch(FetchDescriptor<GraphModels.Animal>())
            return (context, animals, animals.reduce(0) { $0 + Self.read($1) })
        }
    }

    private static func read(_ animal: GraphModels.Animal) -> Double {
        Double(animal.age) + animal.weight + animal.born.timeIntervalSinceReferenceDate
            + Double(animal.diet.utf8.count) + Double(animal.name.utf8.count) + (animal.category == nil ? 0 : 1)
    }

    private func fetchByIdentifier(_ context: ModelContext) throws -> () throws -> Any {
        let identifiers = try context.fetchIdentifiers(FetchDescriptor<GraphModels.Animal>())
        let chosen = (0..<1000).map { identifiers[Int(hw_random(9, UInt64($0)) % UInt64(arguments.count))] }
        return {
            let animals = chosen.compactMap { context.model(for: $0) as? GraphModels.Animal }
            return (context, animals, animals.reduce(0) { $0 + Self.read($1) })
        }
    }

    // MARK: Changing

    private func update(_ context: ModelContext) -> () throws -> Any {
        {
            let animals = try context.fetch(
                FetchDescriptor<GraphModels.Animal>(predicate: #Predicate { $0.age >= 50 }))
            for animal in animals { animal.weight += 1 }
            try context.save()
            return (context, animals)
        }
    }

    private func batch(_ context: ModelContext, _ delete: @escaping () throws -> Void) -> () throws -> Any {
        {
            try delete()
            try context.save()
            return context
        }
    }

    private func cascade(_ context: ModelContext) throws -> () throws -> Any {
        let threshold = arguments.threshold
        let predicate = #Predicate<GraphModels.AnimalCategory> { $0.name < threshold }
        let watching = try holding(context.container)
        let delete = {
            switch arguments.mode {
            case .save:
                try context.delete(model: GraphModels.AnimalCategory.self, where: predicate)
                try context.save()
            case .execute, .merge:
                try context.deletionPlan(for: GraphModels.AnimalCategory.self, where: predicate).execute()
            case .plan: _ = try context.deletionPlan(for: GraphModels.AnimalCategory.self, where: predicate)
            case .recoverable:
                _ = try context.deletionPlan(for: GraphModels.AnimalCategory.self, where: predicate)
                    .executeAndArchive()
            }
        }
        let merge = {
            watching.context.processPendingChanges()
            return (context, watching)
        }
        if arguments.mode == .merge {
            try delete()
            return merge
        }
        return {
            try delete()
            return merge()
        }
    }

    /// Another context, with a number of models read.
    private func holding(_ container: ModelContainer) throws -> (context: ModelContext, models: [GraphModels.Animal]) {
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<GraphModels.Animal>()
        descriptor.fetchLimit = arguments.heldCount
        return (context, try arguments.heldCount == 0 ? [] : context.fetch(descriptor))
    }

    private func nullify(_ context: ModelContext) -> () throws -> Any {
        let threshold = arguments.threshold
        return batch(context) {
            try context.delete(model: NullifyModels.AnimalCategory.self, where: #Predicate { $0.name < threshold })
        }
    }

    private func deleteObjects(_ context: ModelContext) -> () throws -> Any {
        let threshold = arguments.threshold
        return {
            let categories = try context.fetch(
                FetchDescriptor<GraphModels.AnimalCategory>(predicate: #Predicate { $0.name < threshold }))
            for category in categories {
                for animal in category.animals { context.delete(animal) }
                context.delete(category)
            }
            try context.save()
            return (context, categories)
        }
    }
}
