import Foundation
import ObjectGraph

/// A class that finds out which attribute a key path of it reads by trying: the run time has no names for computed
/// properties, which is what managed properties are.
///
/// For each attribute objects are made in which it has one value and another; where the key path gives just these values,
/// it reads that attribute. What was found is remembered.
package protocol KeyPathProbing: KeyPathNaming {
    /// An object of its own, in no context; `nil` where none can be made.
    static func makeProbe() -> Self?
    /// The attributes, each with different values that it may have.
    var probedAttributes: [(name: String, values: [Any])] { get }
    /// Sets an attribute without anybody noticing.
    func setProbedValue(_ value: Any, forKey key: String)
}

extension KeyPathProbing {
    package static func name(of keyPath: AnyKeyPath) -> String? {
        if let known = foundNames.withLock({ $0[keyPath] }) { return known }
        let name = probedName(of: keyPath)
        if let name { foundNames.withLock { $0[keyPath] = name } }
        return name
    }

    private static func probedName(of keyPath: AnyKeyPath) -> String? {
        guard let first = makeProbe() else { return nil }
        return first.probedAttributes.first { reads($0.name, $0.values, keyPath) }?.name
    }

    private static func reads(_ name: String, _ values: [Any], _ keyPath: AnyKeyPath) -> Bool {
        !values.isEmpty
            && values.allSatisfy { value in
                guard let probe = makeProbe() else { return false }
                probe.setProbedValue(value, forKey: name)
                return FormatConstant(probe[keyPath: keyPath]) == FormatConstant(value)
            }
    }
}

/// Values to try for attributes, by type.
package enum ProbeValues {
    /// Two different ones, so that not both are what some other property always gives; none for types of the program's
    /// own.
    package static func values(of type: AttributeType) -> [Any] {
        switch type {
        case .integer16, .integer32, .integer64: [77, 78]
        case .double, .float: [77.5, 78.5]
        case .decimal: [Decimal(77), Decimal(78)]
        case .boolean: [true, false]
        case .string: ["77", "78"]
        case .date: [Date(timeIntervalSinceReferenceDate: 77), Date(timeIntervalSinceReferenceDate: 78)]
        case .binary: [Data([77]), Data([78])]
        case .uuid: [UUID(), UUID()]
        case .uri: ["probe:77", "probe:78"].compactMap { URL(string: $0) }
        case .transformable, .composite: []
        }
    }
}

private let foundNames = Locked<[AnyKeyPath: String]>([:])
