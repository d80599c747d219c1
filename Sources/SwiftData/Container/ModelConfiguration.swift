import Foundation

/// The place of one store of a container, the models it keeps, and whether it may be written.
public struct ModelConfiguration: Identifiable, Hashable, CustomDebugStringConvertible, Sendable, DataStoreConfiguration
{
    /// The class of the store that the configuration opens.
    public typealias Store = DefaultStore
    /// The type of the configuration's identity.
    public typealias ID = URL

    /// The URL of the store's file; `/dev/null` for a store in memory.
    public let url: URL
    /// The name of the configuration, unique within a container. It names the store's file unless a URL was given.
    public let name: String
    /// The name of the group container that the store's folder is named after; `nil` for the program's own folder, and for
    /// a store with a given URL.
    public let groupAppContainerIdentifier: String?
    /// The name of the private CloudKit database, as given; `nil` for none. It has no effect.
    public let cloudKitContainerIdentifier: String?
    /// The group container, as given; `.none` for a store with a given URL.
    public let groupContainer: ModelConfiguration.GroupContainer
    /// The CloudKit database, as given. It has no effect.
    public let cloudKitDatabase: ModelConfiguration.CloudKitDatabase
    /// The models kept in this store; `nil` for all models of the container that no other configuration names. The only
    /// configuration of a container keeps all its models, whatever its schema.
    public var schema: Schema?
    /// Whether the store may be written. A store that may not is neither created nor migrated.
    public let allowsSave: Bool
    /// Whether the store is in memory and is lost with its container.
    public let isStoredInMemoryOnly: Bool

    static let defaultName = "default"
    /// In bytes. File systems allow 255; the names of the store's side files are up to eight bytes longer (`-journal`).
    static let longestFileName = 247

    /// Creates a configuration for all models, at the default place or in memory.
    /// - Parameter isStoredInMemoryOnly: Whether the store is in memory.
    public init(isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// Creates a configuration for some models, at the default place or in memory.
    /// - Parameters:
    ///   - forTypes: The model classes that the store keeps; those that relationships reach from them are added.
    ///   - isStoredInMemoryOnly: Whether the store is in memory.
    public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// Creates a configuration for a store at the default place.
    ///
    /// The file is `<name>.store` in `$XDG_DATA_HOME/<executable name>` (by default `~/.local/share/<executable name>`), or
    /// in a folder named after the group container if one is given, so that several programs can share it.
    /// - Parameters:
    ///   - name: The name of the configuration and of the file; `nil` for `default`.
    ///   - schema: The models that the store keeps; `nil` for all that no other configuration names.
    ///   - isStoredInMemoryOnly: Whether the store is in memory.
    ///   - allowsSave: Whether the store may be written.
    ///   - groupContainer: The group container that names the folder.
    ///   - cloudKitDatabase: Accepted without effect.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
        groupContainer: ModelConfiguration.GroupContainer = .automatic,
        cloudKitDatabase: ModelConfiguration.CloudKitDatabase = .automatic
    ) {
        let name = name ?? Self.defaultName
        self.name = name
        self.schema = schema
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        self.groupContainer = groupContainer
        self.cloudKitDatabase = cloudKitDatabase
        groupAppContainerIdentifier = groupContainer.identifier
        cloudKitContainerIdentifier = cloudKitDatabase.privateName
        url =
            isStoredInMemoryOnly
            ? URL(fileURLWithPath: "/dev/null")
            : StoreLocation.folder(group: groupContainer.identifier).appendingPathComponent("\(name).store")
    }

    /// Creates a configuration for a store at a given place.
    /// - Parameters:
    ///   - name: The name of the configuration; `nil` for the file's name without its extension.
    ///   - schema: The models that the store keeps; `nil` for all that no other configuration names.
    ///   - url: The URL of the store's file. Its folder is created if it does not exist.
    ///   - allowsSave: Whether the store may be written.
    ///   - cloudKitDatabase: Accepted without effect.
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: ModelConfiguration.CloudKitDatabase = .automatic
    ) {
        self.name = name ?? url.deletingPathExtension().lastPathComponent
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
        self.cloudKitDatabase = cloudKitDatabase
        isStoredInMemoryOnly = false
        groupContainer = .none
        groupAppContainerIdentifier = nil
        cloudKitContainerIdentifier = cloudKitDatabase.privateName
    }

    /// The URL of the store's file.
    public var id: URL { url }

    /// Checks the store's URL and file name, before the store is opened.
    /// - Throws: `SwiftDataError.configurationFileNameTooLong`, `configurationFileNameContainsInvalidCharacters`, or
    ///   `loadIssueModelContainer` if the URL is not a file URL.
    public func validate() throws {
        guard !isStoredInMemoryOnly else { return }
        guard url.isFileURL else {
            throw SwiftDataError.loadIssueModelContainer.explained("The store's URL must be a file URL.")
        }
        for part in namedParts where Self.hasInvalidCharacters(part) {
            throw SwiftDataError.configurationFileNameContainsInvalidCharacters.explained("Configuration '\(name)'.")
        }
        for part in namedParts where part.utf8.count > Self.longestFileName {
            throw SwiftDataError.configurationFileNameTooLong.explained("It has \(part.utf8.count) bytes.")
        }
    }

    /// The parts of the path that come from this configuration.
    private var namedParts: [String] {
        isAtDefaultPlace ? ["\(name).store"] + [groupAppContainerIdentifier].compactMap { $0 } : [url.lastPathComponent]
    }

    private var isAtDefaultPlace: Bool {
        url == StoreLocation.folder(group: groupAppContainerIdentifier).appendingPathComponent("\(name).store")
    }

    private static func hasInvalidCharacters(_ name: String) -> Bool {
        name.isEmpty || name == "." || name == ".."
            || name.unicodeScalars.contains { $0 == "/" || $0.properties.generalCategory == .control }
    }

    /// Returns whether two configurations have the same place, name, models and options.
    public static func == (lhs: ModelConfiguration, rhs: ModelConfiguration) -> Bool {
        lhs.url == rhs.url && lhs.name == rhs.name && lhs.isStoredInMemoryOnly == rhs.isStoredInMemoryOnly
            && lhs.allowsSave == rhs.allowsSave && lhs.schema == rhs.schema
            && lhs.groupAppContainerIdentifier == rhs.groupAppContainerIdentifier
            && lhs.cloudKitContainerIdentifier == rhs.cloudKitContainerIdentifier
    }

    /// Hashes the configuration by its URL and name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(name)
    }

    /// The configuration's name, place and models, for logs.
    public var debugDescription: String {
        let place = isStoredInMemoryOnly ? "in memory" : url.path
        let models = schema.map { $0.entities.map(\.name).joined(separator: ", ") } ?? "all models"
        return "configuration '\(name)' \(place)\(allowsSave ? "" : ", read-only") (\(models))"
    }
}

extension ModelConfiguration {
    /// The CloudKit database that a store is mirrored to on Apple's systems. Accepted everywhere, without effect here.
    public struct CloudKitDatabase: Sendable {
        private enum Choice: Sendable {
            case automatic, none
            case named(String)
        }

        private let choice: Choice

        /// The database of the program's entitlements on Apple's systems. No effect here.
        public static var automatic: ModelConfiguration.CloudKitDatabase { Self(choice: .automatic) }
        /// No database.
        public static var none: ModelConfiguration.CloudKitDatabase { Self(choice: .none) }
        /// A private database by name. No effect here.
        /// - Parameter privateDBName: The name of the database.
        public static func `private`(_ privateDBName: String) -> ModelConfiguration.CloudKitDatabase {
            Self(choice: .named(privateDBName))
        }

        var privateName: String? {
            if case .named(let name) = choice { name } else { nil }
        }
    }

    /// The folder, shared between programs, for a store at the default place.
    public struct GroupContainer: Sendable {
        private enum Choice: Sendable {
            case automatic, none
            case named(String)
        }

        private let choice: Choice

        /// The program's own folder, as there are no entitlements to read a group from.
        public static var automatic: ModelConfiguration.GroupContainer { Self(choice: .automatic) }
        /// The program's own folder.
        public static var none: ModelConfiguration.GroupContainer { Self(choice: .none) }
        /// A folder named after a group, which several programs can share.
        /// - Parameter groupName: The name of the group, and of the folder.
        public static func identifier(_ groupName: String) -> ModelConfiguration.GroupContainer {
            Self(choice: .named(groupName))
        }

        var identifier: String? {
            if case .named(let name) = choice { name } else { nil }
        }
    }
}

/// The default folder of stores.
enum StoreLocation {
    static func folder(
        group: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        dataHome(environment).appendingPathComponent(group ?? executableName, isDirectory: true)
    }

    /// `$XDG_DATA_HOME` if it is an absolute path, as its specification requires; otherwise `~/.local/share`. On Apple's
    /// systems, Application Support.
    static func dataHome(_ environment: [String: String]) -> URL {
        #if canImport(Darwin)
        return URL.applicationSupportDirectory
        #else
        if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return FileManager.default.homeDirectoryForCurrentUser
            .appendingPathComponent(".local/share", isDirectory: true)
        #endif
    }

    static var executableName: String {
        Bundle.main.executableURL?.lastPathComponent ?? ProcessInfo.processInfo.processName
    }
}
