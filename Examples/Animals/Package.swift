// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Animals",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "animals", targets: ["Animals"])
    ],
    dependencies: [
        .package(name: "OpenSwiftData", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "Animals",
            dependencies: [
                .product(name: "SwiftData", package: "OpenSwiftData"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Resources/templates"), .copy("Resources/static")]
        )
    ],
    swiftLanguageModes: [.v6]
)
