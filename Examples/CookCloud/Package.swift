// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CookCloud",
    products: [
        .library(name: "CookCloudCore", targets: ["CookCloudCore"]),
        .executable(name: "cookcloud", targets: ["cookcloud"]),
    ],
    dependencies: [.package(name: "Cumulet", path: "../..")],
    targets: [
        .target(name: "CookCloudCore", dependencies: [.product(name: "CloudKit", package: "Cumulet")]),
        .executableTarget(name: "cookcloud", dependencies: ["CookCloudCore"]),
    ],
    swiftLanguageModes: [.v6])
