import Foundation
import FoundationAdditions

/// Converts objects of transformable attributes to stored data and back: by the attribute's value transformer, else as keyed
/// archives.
enum Transformables {
    /// - Returns: `nil` for an object that the transformer does not accept, and if the transformer is not registered.
    static func data(_ any: Any, by name: String?) -> Data? {
        guard let name, !archives.contains(name) else { return KeyedArchives.data(any) }
        let stored = transformer(name)?.storedForm(of: any)
        return stored as? Data ?? (stored as? NSData).map { Data(referencing: $0) }
    }

    /// - Returns: `nil` for data that the transformer cannot read, and if it is not registered; the stored data stay unchanged.
    static func object(_ data: Data, by name: String?) -> Any? {
        guard let name, !archives.contains(name) else { return KeyedArchives.object(data) }
        guard let transformer = transformer(name) else { return nil }
        if type(of: transformer) == NSSecureUnarchiveFromDataTransformer.self { return KeyedArchives.object(data) }
        guard transformer is NSSecureUnarchiveFromDataTransformer else { return transformer.value(fromStored: data) }
        return KeyedArchives.rewritten(data).flatMap { transformer.value(fromStored: $0) }
    }

    /// Names that stand for keyed archives, which attributes without a transformer use.
    private static let archives: Set<String> = ["NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformer"]

    /// Model files name the class as well as the transformer.
    private static let classNames = [
        "NSSecureUnarchiveFromDataTransformer": NSValueTransformerName.secureUnarchiveFromDataTransformerName
    ]

    private static func transformer(_ name: String) -> ValueTransformer? {
        let found = ValueTransformer(forName: classNames[name] ?? NSValueTransformerName(name))
        if found == nil {
            CoreDataLog.logger.error(
                "No value transformer is registered under '\(name)'; use ValueTransformer.setValueTransformer(_:forName:)."
            )
        }
        return found
    }
}
