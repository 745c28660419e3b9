// swift-tools-version: 6.2
import PackageDescription

// What the examples' tests share.
let package = Package(
    name: "ExampleSupport",
    products: [.library(name: "ExampleSupport", targets: ["ExampleSupport"])],
    targets: [.target(name: "ExampleSupport")],
    swiftLanguageModes: [.v6])
