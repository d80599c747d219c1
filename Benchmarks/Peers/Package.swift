// swift-tools-version: 6.2

import PackageDescription

// A package of its own: only comparisons need GRDB.
let package = Package(
    name: "Peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        // The workloads of `live-bench` with GRDB's `ValueObservation`.
        .executableTarget(
            name: "grdb-live-bench",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
