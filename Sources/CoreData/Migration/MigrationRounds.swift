import Foundation

/// Runs the policies of all entity mappings: first objects, then relationships, then validation.
struct MigrationRounds {
    let manager: NSMigrationManager
    let mappings: [NSEntityMapping]

    private typealias Work = (NSEntityMapping, NSEntityMigrationPolicy)

    /// - Throws: `CocoaError` 134170 for a policy that is not found, the error of a cancellation, errors of policies.
    func run() throws {
        let work = try mappings.map { mapping in
            (mapping, try MigrationPolicyClasses.policy(named: mapping.entityMigrationPolicyClassName))
        }
        let rounds: [(Work) throws -> Void] = [createInstances, createRelationships, finish]
        let count = max(1, rounds.count * work.count)
        for (number, round) in rounds.enumerated() {
            for (position, part) in work.enumerated() {
                try manager.begin(part.0, progress: Float(number * work.count + position) / Float(count))
                try round(part)
            }
        }
    }

    private func createInstances(_ work: Work) throws {
        let (mapping, policy) = work
        try policy.begin(mapping, with: manager)
        if mapping.mappingType != .addEntityMappingType, mapping.mappingType != .removeEntityMappingType {
            for source in try sources(mapping) {
                try manager.checkCancellation()
                try policy.createDestinationInstances(forSource: source, in: mapping, manager: manager)
            }
        }
        try policy.endInstanceCreation(forMapping: mapping, manager: manager)
    }

    private func sources(_ mapping: NSEntityMapping) throws -> [NSManagedObject] {
        if let expression = mapping.sourceExpression {
            let variables: NSMutableDictionary = [:]
            variables[NSMigrationManagerKey] = manager
            if let malformation = expression.tree.malformation { throw refusal(mapping, "\(malformation)") }
            let found = expression.expressionValue(with: nil, context: variables) as? [Any]
            try manager.throwFunctionFailure()
            // No array at all means that the fetch failed, not that it found nothing.
            guard let found else { throw refusal(mapping, "It gives no objects.") }
            return found.compactMap { $0 as? NSManagedObject }
        }
        guard let name = mapping.sourceEntityName else { return [] }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        return try manager.sourceContext.fetch(request)
    }

    private func refusal(_ mapping: NSEntityMapping, _ reason: String) -> CocoaError {
        CocoaError(
            .migration,
            text: "The source expression of mapping '\(mapping.name ?? "")' cannot be used; change it. \(reason)")
    }

    private func createRelationships(_ work: Work) throws {
        let (mapping, policy) = work
        for made in manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil) {
            try manager.checkCancellation()
            try policy.createRelationships(forDestination: made, in: mapping, manager: manager)
        }
        try policy.endRelationshipCreation(forMapping: mapping, manager: manager)
    }

    private func finish(_ work: Work) throws {
        let (mapping, policy) = work
        try manager.checkCancellation()
        try policy.performCustomValidation(forMapping: mapping, manager: manager)
        try policy.end(mapping, manager: manager)
    }
}

/// The associations of source and destination objects, by mapping, in the order in which they were made.
struct MigrationAssociations {
    private var pairs: [(source: NSManagedObject, destination: NSManagedObject, mapping: String)] = []
    private var bySource: [ObjectIdentifier: [Int]] = [:]
    private var byDestination: [ObjectIdentifier: [Int]] = [:]

    mutating func add(_ source: NSManagedObject, _ destination: NSManagedObject, _ mapping: String) {
        bySource[ObjectIdentifier(source), default: []].append(pairs.count)
        byDestination[ObjectIdentifier(destination), default: []].append(pairs.count)
        pairs.append((source, destination, mapping))
    }

    func destinations(_ mapping: String?, of sources: [NSManagedObject]?) -> [NSManagedObject] {
        found(mapping, sources.map { $0.flatMap { bySource[ObjectIdentifier($0)] ?? [] } }).map {
            pairs[$0].destination
        }
    }

    func sources(_ mapping: String?, of destinations: [NSManagedObject]?) -> [NSManagedObject] {
        found(mapping, destinations.map { $0.flatMap { byDestination[ObjectIdentifier($0)] ?? [] } })
            .map { pairs[$0].source }
    }

    private func found(_ mapping: String?, _ positions: [Int]?) -> [Int] {
        let all = positions ?? Array(pairs.indices)
        guard let mapping, !mapping.isEmpty else { return all }
        return all.filter { pairs[$0].mapping == mapping }
    }
}
