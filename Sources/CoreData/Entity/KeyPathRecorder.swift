import Foundation
import protocol FoundationPredicates.KeyPathNaming
import ObjectGraph

/// Finds the managed properties that a key path reads, by evaluating it on a temporary object whose properties record each read.
///
/// Managed properties are computed properties, whose names the Swift run time does not have. To distinguish one from a property
/// that is computed from others, the recorder returns a sample value, and the key path must end at that value: in two rounds with
/// different samples, and in one without. Initialisers of the class run, and the getters in the key path.
final class KeyPathRecorder {
    private enum Round: Int, CaseIterable {
        case firstSamples, secondSamples
        /// Attributes are nil, or their type's `missingManagedValue`.
        case noSamples
    }

    private struct Reading {
        let owner: NSManagedObject
        let key: String
        let type: Any.Type
        let optionalType: Any.Type
        let sample: Any?
    }

    private let round: Round
    private var readings: [Reading] = []

    private init(_ round: Round) { self.round = round }

    /// The name of a key path from the class, such as `owner.name`; `nil` if it reads other than managed properties.
    static func name(of keyPath: AnyKeyPath, from type: NSManagedObject.Type) -> String? {
        let names = Set(Round.allCases.map { KeyPathRecorder($0).name(of: keyPath, from: type) })
        return names.count == 1 ? names.first ?? nil : nil
    }

    private func name(of keyPath: AnyKeyPath, from type: NSManagedObject.Type) -> String? {
        let start = makeObject(type)
        // Discards the reads of the initialiser.
        readings = []
        let end = start[keyPath: keyPath].flatMap(Self.flattened)
        defer { readings = [] }
        guard isChain(from: start) else { return nil }
        let owner = readings.last.map { $0.sample as? NSManagedObject } ?? start
        let keys = readings.map(\.key)
        if let owner, let id = end as? NSManagedObjectID, id == owner.objectID {
            return (keys + ["objectID"]).joined(separator: ".")
        }
        guard let last = readings.last else { return end as? NSManagedObject === start ? "self" : nil }
        guard isSample(end, of: last, by: Swift.type(of: keyPath).valueType) else { return nil }
        return keys.joined(separator: ".")
    }

    private static func flattened(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { flattened($0.value) }
    }

    /// Whether each property was read from the value of the one before.
    private func isChain(from start: NSManagedObject) -> Bool {
        var owner: NSManagedObject? = start
        for reading in readings {
            guard reading.owner === owner else { return false }
            owner = reading.sample as? NSManagedObject
        }
        return true
    }

    private func isSample(_ end: Any?, of reading: Reading, by type: Any.Type) -> Bool {
        guard type == reading.type || type == reading.optionalType else { return false }
        guard let sample = reading.sample as? AnyHashable else { return true }
        return end as? AnyHashable == sample
    }

    private func makeObject(_ type: NSManagedObject.Type) -> NSManagedObject {
        let entity = PlainEntity.entity
        let table = EntityTable(entity, PlainEntity.description, recorder: self)
        return Materialization.object(for: Record(newObjectOf: entity), table, type, nil)
    }

    // MARK: Samples

    /// Records the read of a property.
    /// - Returns: A sample of its type; `nil` for types without samples.
    func value<Value>(of key: String, in owner: NSManagedObject) -> Value? {
        let sample: Value? = sample()
        readings.append(
            Reading(
                owner: owner, key: key, type: Value.self, optionalType: Value?.self, sample: sample.map { $0 as Any }))
        return sample
    }

    private func sample<Value>() -> Value? {
        if let type = Value.self as? NSManagedObject.Type { return makeObject(type) as? Value }
        if round == .noSamples { return nil }
        if let type = Value.self as? any KeyPathSample.Type { return type.keyPathSample(round.rawValue) as? Value }
        if let type = Value.self as? any ManagedCollection.Type { return type.init(managedMembers: []) as? Value }
        guard Self.sampledClasses.contains(ObjectIdentifier(Value.self)) else { return nil }
        return objects.lazy.compactMap { $0 as? Value }.first
    }

    private static let sampledClasses: Set<ObjectIdentifier> = [
        ObjectIdentifier(NSSet.self), ObjectIdentifier(NSOrderedSet.self), ObjectIdentifier(NSArray.self),
        ObjectIdentifier(NSDictionary.self), ObjectIdentifier(NSString.self), ObjectIdentifier(NSData.self),
        ObjectIdentifier(NSDate.self), ObjectIdentifier(NSNumber.self), ObjectIdentifier(NSDecimalNumber.self),
    ]

    private var objects: [NSObject] {
        let value = 77 + round.rawValue
        // Foundation cannot hash a decimal number here, so no decimal is a member.
        let text = NSString(string: "\(value)")
        return [
            NSSet(object: text), NSOrderedSet(object: text), NSArray(object: text),
            NSDictionary(object: text, forKey: text), text, NSData(data: Data([UInt8(value)])),
            NSDate(timeIntervalSinceReferenceDate: Double(value)), NSDecimalNumber(value: value),
        ]
    }
}

extension NSManagedObject: KeyPathNaming {
    package static func name(of keyPath: AnyKeyPath) -> String? {
        if let known = foundNames.withLock({ $0[keyPath] }) { return known }
        let name = KeyPathRecorder.name(of: keyPath, from: self)
        if let name { foundNames.withLock { $0[keyPath] = name } }
        return name
    }
}

private let foundNames = Locked<[AnyKeyPath: String]>([:])
