import Foundation

/// Which CloudKit container a store is synchronized with. Kept for programs that set it; nothing is synchronized here.
nonisolated open class NSPersistentCloudKitContainerOptions: NSObject {
    public let containerIdentifier: String

    public init(containerIdentifier: String) {
        self.containerIdentifier = containerIdentifier
        super.init()
    }
}
