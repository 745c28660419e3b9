// swift-tools-version: 6.2
import PackageDescription

// Code as apps write it, after what the framework's documentation shows. It is compiled, never run: `scripts/source-compatibility`
// type-checks it in both language modes, with and without Foundation; `swift build` here builds it in one.
let package = Package(
    name: "SourceCompatibility",
    dependencies: [.package(name: "Cumulet", path: "../..")],
    targets: [
        .target(
            name: "Uses",
            dependencies: [
                .product(name: "CloudKit", package: "Cumulet"), .product(name: "CoreLocation", package: "Cumulet"),
            ])
    ],
    swiftLanguageModes: [.v6])
