// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CookCloud",
    products: [
        .library(name: "CookCloudCore", targets: ["CookCloudCore"]),
        .library(name: "CookCloudViews", targets: ["CookCloudViews"]),
        .executable(name: "cookcloud", targets: ["cookcloud"]),
        .executable(name: "CookCloudApp", targets: ["CookCloudApp"]),
    ],
    dependencies: [.package(name: "Cumulet", path: "../.."), .package(path: "../Support")],
    targets: [
        .target(name: "CookCloudCore", dependencies: [.product(name: "CloudKit", package: "Cumulet")]),
        .executableTarget(name: "cookcloud", dependencies: ["CookCloudCore"]),
        .target(
            name: "CookCloudViews",
            dependencies: [
                "CookCloudCore", .product(name: "SwiftUI", package: "Cumulet"),
                .product(name: "PhotosUI", package: "Cumulet"),
            ]),
        .executableTarget(name: "CookCloudApp", dependencies: ["CookCloudViews"]),
        .testTarget(
            name: "CookCloudCoreTests",
            dependencies: ["CookCloudCore", .product(name: "ExampleSupport", package: "Support")]),
        .testTarget(
            name: "CookCloudViewsTests",
            dependencies: [
                "CookCloudCore", "CookCloudViews", .product(name: "SwiftUITesting", package: "Cumulet"),
                .product(name: "ExampleSupport", package: "Support"),
            ]),
    ],
    swiftLanguageModes: [.v6])
