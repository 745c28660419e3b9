// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LastPerson",
    products: [
        .executable(name: "lastperson", targets: ["lastperson"]),
        .executable(name: "LastPersonApp", targets: ["LastPersonApp"]),
    ],
    dependencies: [.package(name: "Cumulet", path: "../.."), .package(path: "../Support")],
    targets: [
        .target(name: "LastPersonCore", dependencies: [.product(name: "CloudKit", package: "Cumulet")]),
        .executableTarget(name: "lastperson", dependencies: ["LastPersonCore"]),
        .executableTarget(
            name: "LastPersonApp", dependencies: ["LastPersonCore", .product(name: "SwiftUI", package: "Cumulet")]),
        .testTarget(
            name: "LastPersonCoreTests",
            dependencies: [
                "LastPersonCore", .product(name: "CloudKit", package: "Cumulet"),
                .product(name: "ExampleSupport", package: "Support"),
            ]),
    ],
    swiftLanguageModes: [.v6])
