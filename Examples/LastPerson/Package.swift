// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LastPerson",
    products: [.executable(name: "lastperson", targets: ["lastperson"])],
    dependencies: [.package(name: "Cumulet", path: "../..")],
    targets: [
        .target(name: "LastPersonCore", dependencies: [.product(name: "CloudKit", package: "Cumulet")]),
        .executableTarget(name: "lastperson", dependencies: ["LastPersonCore"]),
        .testTarget(
            name: "LastPersonCoreTests",
            dependencies: ["LastPersonCore", .product(name: "CloudKit", package: "Cumulet")]),
    ],
    swiftLanguageModes: [.v6])
