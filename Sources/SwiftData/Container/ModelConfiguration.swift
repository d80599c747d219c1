import Foundation

/// Where one store of a container is and how it may be used.
public struct ModelConfiguration: Identifiable, Hashable, CustomDebugStringConvertible, Sendable, DataStoreConfiguration
{
    public typealias Store = DefaultStore
    public typealias ID = URL

    /// The store's file; `/dev/null` for a store in memory.
    public let url: URL
    /// Tells the configurations of one container apart, and names the file unless a URL was given.
    public let name: String
    public let groupAppContainerIdentifier: String?
    /// Kept as given; nothing is synchronized here.
    public let cloudKitContainerIdentifier: String?
    public let groupContainer: ModelConfiguration.GroupContainer
    public let cloudKitDatabase: ModelConfiguration.CloudKitDatabase
    /// The models kept in this store; `nil` for all of the container's that no other configuration names. The only
    /// configuration of a container keeps all of them, whatever it names.
    public var schema: Schema?
    public let allowsSave: Bool
    public let isStoredInMemoryOnly: Bool

    static let defaultName = "default"
    /// In bytes. File systems take 255; the store's side files add up to eight (`-journal`).
    static let longestFileName = 247

    public init(isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// A store at the default place: `<name>.store` in `$XDG_DATA_HOME/<executable name>` (by default
    /// `~/.local/share/<executable name>`), or in a folder named after the group when one is given, so that several
    /// programs can share it.
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

    /// A store at a given place. Without a name, the file's name without its extension is taken.
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

    public var id: URL { url }

    /// Checks what can be checked before the store is opened.
    /// - Throws: `configurationFileNameTooLong`, `configurationFileNameContainsInvalidCharacters`, or
    ///   `loadIssueModelContainer` when the URL is no file's.
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

    public static func == (lhs: ModelConfiguration, rhs: ModelConfiguration) -> Bool {
        lhs.url == rhs.url && lhs.name == rhs.name && lhs.isStoredInMemoryOnly == rhs.isStoredInMemoryOnly
            && lhs.allowsSave == rhs.allowsSave && lhs.schema == rhs.schema
            && lhs.groupAppContainerIdentifier == rhs.groupAppContainerIdentifier
            && lhs.cloudKitContainerIdentifier == rhs.cloudKitContainerIdentifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(name)
    }

    public var debugDescription: String {
        let place = isStoredInMemoryOnly ? "in memory" : url.path
        let models = schema.map { $0.entities.map(\.name).joined(separator: ", ") } ?? "all models"
        return "configuration '\(name)' \(place)\(allowsSave ? "" : ", read-only") (\(models))"
    }
}

extension ModelConfiguration {
    /// Which CloudKit database a store is mirrored to on Apple's systems. Accepted everywhere, without effect here.
    public struct CloudKitDatabase: Sendable {
        private enum Choice: Sendable {
            case automatic, none
            case named(String)
        }

        private let choice: Choice

        public static var automatic: ModelConfiguration.CloudKitDatabase { Self(choice: .automatic) }
        public static var none: ModelConfiguration.CloudKitDatabase { Self(choice: .none) }
        public static func `private`(_ privateDBName: String) -> ModelConfiguration.CloudKitDatabase {
            Self(choice: .named(privateDBName))
        }

        var privateName: String? {
            if case .named(let name) = choice { name } else { nil }
        }
    }

    /// Which folder, shared between programs, a store at the default place is put into.
    public struct GroupContainer: Sendable {
        private enum Choice: Sendable {
            case automatic, none
            case named(String)
        }

        private let choice: Choice

        /// The program's own folder, as there are no entitlements to read a group from.
        public static var automatic: ModelConfiguration.GroupContainer { Self(choice: .automatic) }
        public static var none: ModelConfiguration.GroupContainer { Self(choice: .none) }
        public static func identifier(_ groupName: String) -> ModelConfiguration.GroupContainer {
            Self(choice: .named(groupName))
        }

        var identifier: String? {
            if case .named(let name) = choice { name } else { nil }
        }
    }
}

/// The folder of stores without a URL.
enum StoreLocation {
    static func folder(
        group: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        dataHome(environment).appendingPathComponent(group ?? executableName, isDirectory: true)
    }

    /// `$XDG_DATA_HOME` when it is an absolute path, as its specification asks; otherwise `~/.local/share`. On Apple's
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
