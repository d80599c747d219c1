// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

let package = Package(
    name: "OpenSwiftData",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "SwiftData", targets: ["SwiftData"]),
        .library(name: "CoreData", targets: ["CoreData"]),
        .executable(name: "modelstore", targets: ["modelstore"]),
        .plugin(name: "ModelClasses", targets: ["ModelClasses"]),
    ],
    traits: [
        // Packages that use the libraries only leave this out (`traits: []`); its dependencies are then not fetched.
        .trait(name: "Tools", description: "The command modelstore, and its page in the web browser."),
        .default(enabledTraits: ["Tools"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
    ],
    targets: [
        // The typed face: what a client imports.
        .target(
            name: "SwiftData",
            dependencies: [
                "AppleFormats", "FoundationAdditions", "ObjectGraph", "SQLiteStore", "StoreDeletion",
                "SwiftDataMacros",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // The dynamic face, for programs that build models and predicates at run time.
        .target(
            name: "CoreData",
            dependencies: [
                "AppleFormats", "FoundationAdditions", "FoundationPredicates", "ModelText", "ObjectGraph",
                "PredicateFormat", "SQLiteStore", "StoreDeletion", "SwiftDataMacros",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // What Foundation has on Apple's systems only; both faces show it as theirs.
        .target(name: "FoundationAdditions"),
        // Predicates, expressions and sort descriptors by format and key, for the dynamic face. A module of its own, so that
        // its types can be imported by name, and hide those that Foundation has under these names.
        .target(
            name: "FoundationPredicates",
            dependencies: ["ObjectGraph", "PredicateFormat", .product(name: "Logging", package: "swift-log")]),
        // Xcode's model files, and classes made from them.
        .target(name: "ModelText", dependencies: ["ObjectGraph", "PredicateFormat"]),
        .executableTarget(name: "model-classes", dependencies: ["ModelText"], path: "Tools/ModelClassesTool"),
        .plugin(name: "ModelClasses", capability: .buildTool(), dependencies: ["model-classes"]),
        .macro(
            name: "SwiftDataMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftIfConfig", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ]
        ),
        // The engine: object graph, delete rules, expression tree.
        .target(name: "ObjectGraph"),
        // Texts of predicates and expressions: parsed, printed, evaluated over plain objects, translated for a model.
        .target(name: "PredicateFormat", dependencies: ["ObjectGraph"]),
        // What Apple's systems keep in files and columns: property lists, keyed archives, compiled and mapping models.
        .target(name: "AppleFormats", dependencies: ["CZlib", "ObjectGraph"]),
        // Stored names and statements as values, for any database.
        .target(name: "StoreSQL", dependencies: ["ObjectGraph"]),
        // Apple's file: fetch, save, history.
        .target(
            name: "SQLiteStore",
            dependencies: ["AppleFormats", "CSQLite", "ObjectGraph", "PredicateFormat", "StoreSQL"]),
        // The same as values in memory: what a store has to do, for readers and for tests.
        .target(name: "MemoryStore", dependencies: ["ObjectGraph"]),
        // What Apple's frameworks do not have: deletions planned, in chunks, archived; consumers of history. Both faces show
        // it as theirs.
        .target(name: "StoreDeletion", dependencies: ["ObjectGraph"]),
        // Any store's file, looked at and changed with the model that it carries.
        .target(
            name: "StoreInspection",
            dependencies: ["AppleFormats", "ObjectGraph", "PredicateFormat", "SQLiteStore", "StoreSQL"],
            path: "Tools/StoreInspection"),
        // A store in the web browser.
        .target(
            name: "StoreBrowser",
            dependencies: [
                "ModelText", "ObjectGraph", "PredicateFormat", "SQLiteStore", "StoreInspection", "StoreSQL",
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Tools"])),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Tools"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Tools"])),
            ],
            path: "Tools/StoreBrowser",
            resources: [
                .embedInCode("Resources/browse.css"), .embedInCode("Resources/browse.js"),
                .embedInCode("Resources/icon.svg"),
            ]
        ),
        // The command line.
        .executableTarget(
            name: "modelstore",
            dependencies: [
                "AppleFormats", "ModelText", "ObjectGraph", "SQLiteStore", "StoreBrowser", "StoreInspection",
                "StoreSQL",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"])),
            ],
            path: "Tools/modelstore"
        ),
        .testTarget(
            name: "StoreInspectionTests",
            dependencies: [
                "AppleFormats", "ModelText", "ObjectGraph", "SQLiteStore", "StoreInspection", "StoreSQL", "TestSupport",
            ]),
        .testTarget(
            name: "ModelstoreTests",
            dependencies: ["AppleFormats", "ObjectGraph", "SQLiteStore", "StoreSQL", "TestSupport", "modelstore"],
            exclude: ["Expected"]),
        // Seeds, temporary folders, Apple's files and sample rows, for tests of all modules.
        .target(name: "TestSupport", dependencies: ["MemoryStore", "ObjectGraph"], path: "Tests/TestSupport"),
        // Digests of random runs, tables as values and copies of Apple's files, for tests that use the store.
        .target(
            name: "StoreTestSupport", dependencies: ["ObjectGraph", "SQLiteStore", "StoreSQL", "TestSupport"],
            path: "Tests/StoreTestSupport"),
        .testTarget(name: "ObjectGraphTests", dependencies: ["MemoryStore", "ObjectGraph", "TestSupport"]),
        .testTarget(name: "PredicateFormatTests", dependencies: ["ObjectGraph", "PredicateFormat", "TestSupport"]),
        .testTarget(name: "StoreSQLTests", dependencies: ["ObjectGraph", "StoreSQL"]),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: [
                "AppleFormats", "CrashChild", "ObjectGraph", "PredicateFormat", "SQLiteStore", "StoreSQL",
                "StoreTestSupport", "TestSupport",
            ]),
        // Run by tests, in processes that are killed or whose file system fails.
        .executableTarget(
            name: "CrashChild", dependencies: ["CFaultVFS", "CoreData", "ObjectGraph", "SQLiteStore"],
            path: "Tests/CrashChild"),
        .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
        .testTarget(
            name: "SwiftDataTests",
            dependencies: [
                "SwiftData", "ObjectGraph", "SQLiteStore", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Models in a module whose code is on the main actor unless it says otherwise, as new Xcode projects have it.
        .testTarget(
            name: "SwiftDataMainActorTests", dependencies: ["SwiftData"],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "CoreDataTests",
            dependencies: [
                "AppleFormats", "CoreData", "CrashChild", "FoundationPredicates", "ModelText", "ObjectGraph",
                "SQLiteStore", "StoreSQL", "StoreTestSupport", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Digests"]
        ),
        // Managed object classes, written and generated, and other subclasses in such a module.
        .testTarget(
            name: "CoreDataMainActorTests", dependencies: ["CoreData"], resources: [.copy("Garden.xcdatamodeld")],
            swiftSettings: [.defaultIsolation(MainActor.self)], plugins: ["ModelClasses"]),
        // A catalogue of what programs with Core Data write, compiled in both language modes: the second folder is a link to
        // the first.
        .testTarget(
            name: "CoreDataIdiomTests", dependencies: ["CoreData", "TestSupport"], exclude: ["README.md"]),
        .testTarget(
            name: "CoreDataIdiomSwift5Tests", dependencies: ["CoreData", "TestSupport"], exclude: ["README.md"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // The examples that need nothing beyond this package, so that a build finds out when they no longer compile.
        .executableTarget(
            name: "BatchingExample", dependencies: ["CoreData"], path: "Examples/Batching/Sources/Batching",
            resources: [.copy("Sightings.xcdatamodeld")], plugins: ["ModelClasses"]),
        .executableTarget(
            name: "NotebookExample", dependencies: ["CoreData"], path: "Examples/Notebook/Sources/Notebook",
            resources: [.copy("Notebook.xcdatamodeld")], plugins: ["ModelClasses"]),
        .target(
            name: "TimestampsData", dependencies: ["CoreData"], path: "Examples/Timestamps/Sources/TimestampsData",
            resources: [.copy("Timestamps.xcdatamodeld")], plugins: ["ModelClasses"]),
        .executableTarget(
            name: "TimestampsExample", dependencies: ["CoreData", "TimestampsData"],
            path: "Examples/Timestamps/Sources/TimestampsExample"),
        .testTarget(
            name: "TimestampsDataTests", dependencies: ["CoreData", "TimestampsData"],
            path: "Examples/Timestamps/Tests/TimestampsDataTests"),
        // Makes a store to look at in the browser.
        .executableTarget(
            name: "BrowserSample", dependencies: ["ObjectGraph", "SQLiteStore"], path: "Tests/BrowserSample"),
        .testTarget(
            name: "StoreBrowserTests",
            dependencies: [
                "ModelText", "ObjectGraph", "SQLiteStore", "StoreBrowser", "StoreInspection", "TestSupport",
            ]),
        .testTarget(name: "ModelTextTests", dependencies: ["ModelText", "ObjectGraph", "TestSupport"]),
        // SQL against memory, batches against single objects, the engine against independent references.
        .testTarget(
            name: "AgreementTests",
            dependencies: [
                "MemoryStore", "ObjectGraph", "PredicateFormat", "SQLiteStore", "StoreSQL", "StoreTestSupport",
                "SwiftData", "TestSupport",
            ],
            exclude: ["Digests"]),
        // Files written by Apple's frameworks.
        .testTarget(
            name: "AppleStoreTests",
            dependencies: [
                "AppleFormats", "CoreData", "ModelText", "ObjectGraph", "SQLiteStore", "StoreSQL", "StoreTestSupport",
                "SwiftData", "TestSupport",
            ]),
        .testTarget(
            name: "SwiftDataMacrosTests",
            dependencies: [
                "ObjectGraph", "SwiftDataMacros",
                .product(name: "SwiftIfConfig", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ]
        ),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    ],
    swiftLanguageModes: [.v6]
)
