// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Fasting",
    products: [
        .library(name: "FastingCore", targets: ["FastingCore"]),
        .executable(name: "fasting", targets: ["fasting"]),
        .executable(name: "FastingApp", targets: ["FastingApp"]),
    ],
    dependencies: [.package(name: "Cumulet", path: "../.."), .package(path: "../Support")],
    targets: [
        .target(name: "FastingCore", dependencies: [.product(name: "CloudKit", package: "Cumulet")]),
        .executableTarget(name: "fasting", dependencies: ["FastingCore"]),
        .executableTarget(
            name: "FastingApp", dependencies: ["FastingCore", .product(name: "SwiftUI", package: "Cumulet")]),
        .testTarget(
            name: "FastingCoreTests",
            dependencies: ["FastingCore", .product(name: "ExampleSupport", package: "Support")]),
    ],
    swiftLanguageModes: [.v6])
