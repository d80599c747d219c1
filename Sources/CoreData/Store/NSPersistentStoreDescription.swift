import Foundation

/// How a container opens one store.
nonisolated open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
    // Set before the store is opened, by whoever makes the container, and only read afterwards.

    /// The type of the store.
    open var type = NSSQLiteStoreType
    /// The configuration of the model; `nil` for all entities.
    open var configuration: String?
    /// Where the store is. `/dev/null`, unless given: a SQLite store in memory.
    open var url: URL?
    private var storedOptions: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]
    /// Whether the store is opened in the background.
    open var shouldAddStoreAsynchronously = false
    /// Kept for programs that set it: no store is synchronized here.
    open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?

    public override init() {
        url = URL(fileURLWithPath: "/dev/null")
        super.init()
    }

    public init(url: URL) {
        self.url = url
        super.init()
    }

    open var options: [String: NSObject] { storedOptions }

    /// - Parameter option: `nil` takes the option away.
    open func setOption(_ option: NSObject?, forKey key: String) { storedOptions[key] = option }

    /// The same for values of Swift's own, which are no objects here.
    public func setOption(_ option: Bool, forKey key: String) { storedOptions[key] = NSNumber(value: option) }

    open var isReadOnly: Bool {
        get { StoreOptions.isOn(NSReadOnlyPersistentStoreOption, storedOptions) }
        set { setOption(newValue, forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// Seconds to wait for a lock that somebody else holds.
    open var timeout: TimeInterval {
        get { (storedOptions[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { storedOptions[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
    }

    open var sqlitePragmas: [String: NSObject] {
        (storedOptions[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
    }

    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        storedOptions[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
    }

    open var shouldMigrateStoreAutomatically: Bool {
        get { StoreOptions.isOn(NSMigratePersistentStoresAutomaticallyOption, storedOptions) }
        set { setOption(newValue, forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    open var shouldInferMappingModelAutomatically: Bool {
        get { StoreOptions.isOn(NSInferMappingModelAutomaticallyOption, storedOptions) }
        set { setOption(newValue, forKey: NSInferMappingModelAutomaticallyOption) }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.storedOptions = storedOptions
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.cloudKitContainerOptions = cloudKitContainerOptions
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return type == other.type && configuration == other.configuration && url == other.url
            && storedOptions == other.storedOptions
    }

    open override var hash: Int { url.hashValue ^ type.hashValue }

    open override var description: String { "<NSPersistentStoreDescription: \(type) \(url?.path ?? "no URL")>" }
}
