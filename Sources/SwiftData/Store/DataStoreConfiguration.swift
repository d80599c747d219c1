/// What a store of a program's own needs to be opened, and which store that is.
public protocol DataStoreConfiguration: Hashable {
    associatedtype Store: DataStore where Self == Self.Store.Configuration

    /// One for each configuration of a container.
    var name: String { get }
    /// The models that the store keeps; a container sets it where it is `nil`.
    var schema: Schema? { get set }

    /// Checks what can be checked before the store is opened.
    func validate() throws
}

extension DataStoreConfiguration {
    public func validate() throws {}
}
