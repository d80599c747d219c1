/// The configuration of a store of a class of the program's own: which class it is, and what it needs to be opened.
public protocol DataStoreConfiguration: Hashable {
    /// The class of the store.
    associatedtype Store: DataStore where Self == Self.Store.Configuration

    /// The name of the configuration, unique within a container.
    var name: String { get }
    /// The schema of the models that the store keeps; a container sets it if it is `nil`.
    var schema: Schema? { get set }

    /// Checks the configuration before the store is opened.
    /// - Throws: Any error if the configuration is invalid; the container's initializer throws it.
    func validate() throws
}

extension DataStoreConfiguration {
    /// Accepts every configuration.
    public func validate() throws {}
}
