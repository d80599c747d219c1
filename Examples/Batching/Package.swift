// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Batching",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenSwiftData", path: "../..")],
    targets: [
        .executableTarget(
            name: "Batching",
            dependencies: [.product(name: "CoreData", package: "OpenSwiftData")],
            resources: [.copy("Sightings.xcdatamodeld")],
            plugins: [.plugin(name: "ModelClasses", package: "OpenSwiftData")]
        )
    ],
    swiftLanguageModes: [.v6]
)
