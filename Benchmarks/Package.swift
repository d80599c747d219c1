// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "live-bench", targets: ["live-bench"]),
        .executable(name: "ratios", targets: ["ratios"]),
        .executable(name: "store-bench", targets: ["store-bench"]),
    ],
    dependencies: [
        .package(name: "OpenSwiftData", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        // The same work over the SQLite C API alone, and the data both work on.
        .target(name: "HandWritten", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "BenchmarkModels",
            dependencies: [
                .product(name: "CoreData", package: "OpenSwiftData"),
                .product(name: "SwiftData", package: "OpenSwiftData"),
            ]
        ),
        // Clock, memory meter, values and store files.
        .target(
            name: "BenchmarkSupport",
            dependencies: ["HandWritten", "BenchmarkModels", .product(name: "SwiftData", package: "OpenSwiftData")]
        ),
        // Each workload by hand and by the library, as ratios.
        .executableTarget(
            name: "ratios",
            dependencies: [
                "BenchmarkSupport", "BenchmarkModels", "HandWritten",
                .product(name: "SwiftData", package: "OpenSwiftData"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // What a change costs the observers of results.
        .executableTarget(
            name: "live-bench",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "SwiftData", package: "OpenSwiftData"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // One workload on one file, for comparisons with other libraries.
        .executableTarget(
            name: "store-bench",
            dependencies: [
                "BenchmarkSupport", "BenchmarkModels", "HandWritten",
                .product(name: "CoreData", package: "OpenSwiftData"),
                .product(name: "SwiftData", package: "OpenSwiftData"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
