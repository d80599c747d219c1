// swift-tools-version: 6.2

import PackageDescription

// An app in the form of Xcode's Core Data template: swift run --package-path Examples/Timestamps
let package = Package(
    name: "Timestamps",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenSwiftData", path: "../..")],
    targets: [
        .target(
            name: "TimestampsData",
            dependencies: [.product(name: "CoreData", package: "OpenSwiftData")],
            resources: [.copy("Timestamps.xcdatamodeld")],
            plugins: [.plugin(name: "ModelClasses", package: "OpenSwiftData")]
        ),
        .executableTarget(name: "TimestampsExample", dependencies: ["TimestampsData"]),
        .testTarget(name: "TimestampsDataTests", dependencies: ["TimestampsData"]),
    ],
    swiftLanguageModes: [.v6]
)
