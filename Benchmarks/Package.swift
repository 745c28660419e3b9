// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Cumulet", path: "..")],
    targets: [
        .executableTarget(name: "pushbench", dependencies: [.product(name: "CloudKit", package: "Cumulet")])
    ])
