// swift-tools-version: 6.2

import PackageDescription

// Classes made from a model by the ModelClasses plug-in: swift run --package-path Examples/Notebook
let package = Package(
    name: "Notebook",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenSwiftData", path: "../..")],
    targets: [
        .executableTarget(
            name: "Notebook",
            dependencies: [.product(name: "CoreData", package: "OpenSwiftData")],
            // Copied as it is: without Xcode there is no compiler of models, and none is needed.
            resources: [.copy("Notebook.xcdatamodeld")],
            plugins: [.plugin(name: "ModelClasses", package: "OpenSwiftData")]
        )
    ],
    swiftLanguageModes: [.v6]
)
