import Foundation

/// A description of a store for a container or coordinator to open: its URL, type and options.
nonisolated open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
    // Set before the store is opened, and only read afterwards.

    /// The type of the store: `NSSQLiteStoreType`, unless set.
    open var type = NSSQLiteStoreType
    /// The name of a configuration of the model; `nil`, unless set, for all entities.
    open var configuration: String?
    /// The URL of the store. `/dev/null`, unless given, is a SQLite store in memory.
    open var url: URL?
    private var storedOptions: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]
    /// A Boolean value that states whether the store is opened in the background: `false`, unless set.
    open var shouldAddStoreAsynchronously = false
    /// Options for CloudKit, which have no effect here.
    open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?

    /// Creates a description of a SQLite store in memory.
    public override init() {
        url = URL(fileURLWithPath: "/dev/null")
        super.init()
    }

    /// Creates a description of a SQLite store.
    /// - Parameter url: the URL of the store.
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// The options of the store. Unless changed, the store is migrated automatically, with an inferred mapping if there is no
    /// other.
    open var options: [String: NSObject] { storedOptions }

    /// Sets or removes an option.
    /// - Parameters:
    ///   - option: the value; `nil` removes the option.
    ///   - key: the option.
    open func setOption(_ option: NSObject?, forKey key: String) { storedOptions[key] = option }

    /// Sets an option to a Boolean value of Swift, which is not an object here.
    /// - Parameters:
    ///   - option: the value.
    ///   - key: the option.
    public func setOption(_ option: Bool, forKey key: String) { storedOptions[key] = NSNumber(value: option) }

    /// A Boolean value that states whether the store is opened for reading only: `false`, unless set.
    open var isReadOnly: Bool {
        get { StoreOptions.isOn(NSReadOnlyPersistentStoreOption, storedOptions) }
        set { setOption(newValue, forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// The number of seconds to wait for a lock that another connection holds. Unless it is set, it reads as 240 and the store
    /// waits for 10 seconds.
    open var timeout: TimeInterval {
        get { (storedOptions[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { storedOptions[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
    }

    /// The settings of SQLite, by name.
    open var sqlitePragmas: [String: NSObject] {
        (storedOptions[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
    }

    /// Sets a setting of SQLite, or removes it.
    /// - Parameters:
    ///   - value: the value; `nil` removes the setting.
    ///   - name: the name of the setting. A setting that would harm the store prevents it from being opened (134080).
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        storedOptions[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
    }

    /// A Boolean value that states whether a store of an older model is migrated when it is opened: `true`, unless set.
    open var shouldMigrateStoreAutomatically: Bool {
        get { StoreOptions.isOn(NSMigratePersistentStoresAutomaticallyOption, storedOptions) }
        set { setOption(newValue, forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// A Boolean value that states whether the mapping may be inferred from the two models: `true`, unless set.
    open var shouldInferMappingModelAutomatically: Bool {
        get { StoreOptions.isOn(NSInferMappingModelAutomaticallyOption, storedOptions) }
        set { setOption(newValue, forKey: NSInferMappingModelAutomaticallyOption) }
    }

    /// Returns a copy of the description.
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

    /// Returns whether another description has the same type, configuration, URL and options.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return type == other.type && configuration == other.configuration && url == other.url
            && storedOptions == other.storedOptions
    }

    /// A hash of the URL and type.
    open override var hash: Int { url.hashValue ^ type.hashValue }

    /// A text with the type and path of the store.
    open override var description: String { "<NSPersistentStoreDescription: \(type) \(url?.path ?? "no URL")>" }
}
