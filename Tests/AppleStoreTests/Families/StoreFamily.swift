import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// Model classes for which there are files of Apple's.
protocol StoreFamily: SendableMetatype {
    static var schema: Schema { get }
    /// Models for a new file, one of everything that the tests of this family need.
    static func fill(_ context: ModelContext) throws
    /// Reads every property of every model and compares it with the result of plain SQL.
    static func expectAgreement(_ context: ModelContext, _ contents: StoreContents) throws
    /// Any column of the family's tables, for a foreign trigger.
    static var someTable: String { get }
}

/// A file to work on: a copy of one of Apple's, or a new one with the same classes.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    enum Origin: Sendable {
        case apple(RealFile)
        case own
    }

    let origin: Origin
    let family: any StoreFamily.Type

    private static let apple: [StoreUnderTest] = [
        .init(origin: .apple(RealFile("cocktails/Cocktails.store")), family: CocktailFamily.self),
        .init(origin: .apple(RealFile("resources/A/default.store")), family: ResourceFamily.self),
        .init(origin: .apple(RealFile("resources/B/default.store")), family: ResourceFamily.self),
        .init(origin: .apple(RealFile("coredataplus/SampleModel_V1.sqlite")), family: CarFamily1.self),
        .init(origin: .apple(RealFile("coredataplus/SampleModel_V2.sqlite")), family: CarFamily2.self),
    ]

    static let own: [StoreUnderTest] = [
        .init(origin: .own, family: CocktailFamily.self), .init(origin: .own, family: ResourceFamily.self),
        .init(origin: .own, family: CarFamily1.self), .init(origin: .own, family: CarFamily2.self),
    ]

    /// Apple's files are left out if they are missing; `AppleStoreTests` says so.
    static let all = own + (RealFile.areAvailable ? apple : [])

    static func of(_ family: any StoreFamily.Type) -> [StoreUnderTest] { all.filter { $0.family == family } }

    var testDescription: String {
        switch origin {
        case .apple(let store): store.path
        case .own: "\(family), made here"
        }
    }

    /// Passes a file of its own to the body, with its log if there is one.
    func withFile(_ body: (URL) throws -> Void) throws {
        switch origin {
        case .apple(let store):
            try store.withCopiedFile(body)
        case .own:
            try withTemporaryFolder { folder in
                let url = folder.appendingPathComponent("default.store")
                try fill(url)
                try body(url)
            }
        }
    }

    /// The same, with changes still in the write-ahead log.
    func withPendingLog(_ body: (URL) throws -> Void) throws {
        guard case .own = origin else { return try withFile(body) }
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("default.store")
            let container = try container(url)
            let context = ModelContext(container)
            try family.fill(context)
            try context.save()
            let copy = folder.appendingPathComponent("copy.store")
            for suffix in ["", "-wal"] {
                try Data(contentsOf: URL(fileURLWithPath: url.path + suffix))
                    .write(to: URL(fileURLWithPath: copy.path + suffix))
            }
            try body(copy)
        }
    }

    private func fill(_ url: URL) throws {
        let context = ModelContext(try container(url))
        try family.fill(context)
        try context.save()
    }

    func container(_ url: URL, allowsSave: Bool = true) throws -> ModelContainer {
        try ModelContainer(
            for: family.schema, configurations: ModelConfiguration(url: url, allowsSave: allowsSave))
    }

    /// Opens the file, calls the body, and closes it again.
    func withContext(_ url: URL, allowsSave: Bool = true, _ body: (ModelContext) throws -> Void) throws {
        try body(ModelContext(try container(url, allowsSave: allowsSave)))
    }

    /// One of Apple's files was made by a migration that left it without a write-ahead log.
    var journal: String {
        if case .apple(let store) = origin, store.path.hasSuffix("SampleModel_V2.sqlite") { "delete" } else { "wal" }
    }

    /// Opens the file anew and expects that models and plain SQL agree in everything.
    func expectAgreement(_ url: URL) throws {
        try withContext(url, allowsSave: false) { context in
            try family.expectAgreement(context, try StoreContents(url))
        }
    }
}

// MARK: Foreign contents

/// Foreign contents of a file: metadata, a table, a trigger, a column, a cached model.
enum ForeignMatter {
    static let metadataKey = "SomeAppKey"
    static let column = "ZOFANOTHERVERSION"

    static func add(to url: URL, _ family: any StoreFamily.Type) throws {
        let connection = try Connection(.file(url), access: .readWrite)
        var metadata = try StoreMetadata(connection)
        metadata.propertyList[metadataKey] = .array([.boolean(true), .integer(-1), .string("ü"), .date(1.5)])
        try metadata.write(connection)
        try connection.execute("CREATE TABLE APPDATA (NAME TEXT, VALUE BLOB)")
        try connection.execute("INSERT INTO APPDATA VALUES ('a', x'00FF'), (NULL, 1.5)")
        try connection.execute(
            "CREATE TRIGGER APPTRIGGER AFTER UPDATE ON \(family.someTable) BEGIN UPDATE APPDATA SET NAME = NAME; END")
        try connection.execute("ALTER TABLE \(family.someTable) ADD \(column) VARCHAR")
        try connection.execute("UPDATE \(family.someTable) SET \(column) = 'kept ' || Z_PK")
        if try connection.rows("SELECT 1 FROM Z_MODELCACHE").isEmpty {
            try connection.execute("INSERT INTO Z_MODELCACHE VALUES (x'0102030405')")
        }
    }
}

/// SQLite's own check, and the settings of Apple's files.
/// - Parameter journal: a file keeps the mode it has; new ones have a write-ahead log.
func expectSoundFile(_ url: URL, journal: String = "wal", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let connection = try Connection(.file(url), access: .readOnly)
    func value(_ pragma: String) throws -> Cell? { try connection.rows("PRAGMA \(pragma)").first?.values.first }
    #expect(try value("integrity_check") == .text("ok"), sourceLocation: sourceLocation)
    #expect(try value("page_size") == .integer(4096), sourceLocation: sourceLocation)
    #expect(try value("auto_vacuum") == .integer(2), sourceLocation: sourceLocation)
    #expect(try value("journal_mode") == .text(journal), sourceLocation: sourceLocation)
    #expect(try value("user_version") == .integer(0), sourceLocation: sourceLocation)
    #expect(try value("application_id") == .integer(0), sourceLocation: sourceLocation)
}
