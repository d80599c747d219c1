#if !canImport(Darwin)
import Foundation

/// Allows `FileProtectionType.complete as NSObject`, the value of `NSPersistentStoreFileProtectionKey`.
extension FileProtectionType: @retroactive _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { rawValue._bridgeToObjectiveC() }

    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout FileProtectionType?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSString, result: inout FileProtectionType?
    ) -> Bool {
        result = _unconditionallyBridgeFromObjectiveC(source)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> FileProtectionType {
        FileProtectionType(rawValue: String._unconditionallyBridgeFromObjectiveC(source))
    }
}
#endif
