import Foundation

/// The CloudKit container that a store would be synchronized with. It has no effect here.
nonisolated open class NSPersistentCloudKitContainerOptions: NSObject {
    /// The identifier of the CloudKit container.
    public let containerIdentifier: String

    /// Creates options.
    /// - Parameter containerIdentifier: the identifier of the CloudKit container.
    public init(containerIdentifier: String) {
        self.containerIdentifier = containerIdentifier
        super.init()
    }
}
