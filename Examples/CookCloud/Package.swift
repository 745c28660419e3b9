// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CookCloud",
    products: [
        .library(name: "CookCloudCore", targets: ["CookCloudCore"]),
        .executable(name: "cookcloud", targets: ["cookcloud"]),
    ],
    dependencies: [.package(name: "Cumulet", path: "../.."), .package(path: "../Support")],
    targets: [
        .target(name: "CookCloudCore", dependencies: [.product(name: "CloudKit", package: "Cumulet")]),
        .executableTarget(name: "cookcloud", dependencies: ["CookCloudCore"]),
        .testTarget(
            name: "CookCloudCoreTests",
            dependencies: ["CookCloudCore", .product(name: "ExampleSupport", package: "Support")]),
    ],
    swiftLanguageModes: [.v6])
