import Foundation

/// SQLite settings that a program may choose for its connections to a store. Other settings could change the file's
/// layout or break assumptions of contexts.
package struct StorePragmas: Sendable, Hashable {
    /// The settings by lower-case name.
    private var values: [String: String] = [:]

    package init() {}

    /// - Throws: `StorePragmaError` for a setting or value that is not allowed.
    package init(_ settings: [String: String]) throws(StorePragmaError) {
        for (name, value) in settings {
            let (name, value) = (name.lowercased(), value.trimmingCharacters(in: .whitespaces).lowercased())
            guard let rule = Self.rules[name] else { throw .notAllowed(name: name, allowed: Self.rules.keys.sorted()) }
            guard rule.allows(value) else { throw .badValue(name: name, wanted: rule.description) }
            values[name] = value
        }
    }

    package var isEmpty: Bool { values.isEmpty }

    private enum Rule: CustomStringConvertible {
        case words([String])
        case integer

        func allows(_ value: String) -> Bool {
            switch self {
            case .words(let words): words.contains(value)
            case .integer: Int64(value) != nil
            }
        }

        var description: String {
            switch self {
            case .words(let words): words.joined(separator: ", ")
            case .integer: "a whole number"
            }
        }
    }

    private static let flag = Rule.words(["0", "1", "off", "on", "no", "yes", "false", "true"])
    private static let journalMode = "journal_mode"
    private static let safety = "synchronous"
    private static let rules: [String: Rule] = [
        journalMode: .words(["wal", "delete", "truncate", "persist"]),
        safety: .words(["0", "1", "2", "3", "off", "normal", "full", "extra"]),
        "secure_delete": .words(["0", "1", "off", "on", "fast"]),
        "temp_store": .words(["0", "1", "2", "default", "file", "memory"]),
        "fullfsync": flag, "checkpoint_fullfsync": flag,
        "cache_size": .integer, "mmap_size": .integer, "wal_autocheckpoint": .integer, "journal_size_limit": .integer,
    ]

    /// Applies the settings. Settings of the file are applied by the writing connection only; a store in memory has no
    /// journal to choose.
    func apply(to connection: Connection) throws {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            if name == Self.journalMode {
                guard connection.access != .readOnly, connection.access != .immutable, case .file = connection.location
                else { continue }
            }
            try connection.execute("PRAGMA \(name) = \(value)")
            if name == Self.safety { connection.usualSafety = value }
        }
    }
}

/// A SQLite setting that a store does not accept. The file was not opened.
package enum StorePragmaError: Error, Hashable, CustomStringConvertible {
    case notAllowed(name: String, allowed: [String])
    case badValue(name: String, wanted: String)

    package var description: String {
        switch self {
        case .notAllowed(let name, let allowed):
            "SQLite's setting '\(name)' cannot be chosen for a store; these can: \(allowed.joined(separator: ", "))."
        case .badValue(let name, let wanted): "SQLite's setting '\(name)' takes one of these: \(wanted)."
        }
    }
}
