// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Cumulet",
    products: [
        .executable(name: "cumulet", targets: ["cumulet"]),
        .library(name: "CloudKit", targets: ["CloudKit"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "CoreTransferable", targets: ["CoreTransferable"]),
        .library(name: "PhotosUI", targets: ["PhotosUI"]),
        .library(name: "SwiftUI", targets: ["SwiftUI"]),
        .library(name: "SwiftUITesting", targets: ["SwiftUITesting"]),
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
    ],
    targets: [
        // C: system libraries and one C++ library behind a C face
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),
        // words
        .target(name: "CloudCore", linkerSettings: [.linkedLibrary("m")]),  // rounding of Double
        .target(name: "CloudWire", dependencies: ["CloudCore", "CSimdJSON"]),
        .target(name: "SQLCore"),
        .target(name: "HTTPCore"),
        // adapters
        .target(name: "SQLiteDriver", dependencies: ["SQLCore", "CSQLite"]),
        .target(name: "PostgresDriver", dependencies: ["SQLCore", "CPostgres"]),
        .target(name: "HTTPServer", dependencies: ["HTTPCore", "CMicroHTTPD", "CZlib"]),
        .target(name: "HTTPClient", dependencies: ["HTTPCore", "CCurl"]),
        .target(name: "CloudCrypto", dependencies: ["COpenSSL", "CArgon2"]),
        // engines
        .target(name: "CloudStorage", dependencies: ["CloudCore", "SQLCore", "CloudCrypto"]),
        .target(name: "CloudClient", dependencies: ["CloudCore", "CloudWire", "HTTPCore", "CloudCrypto"]),
        // surface
        .target(
            name: "CloudServer",
            dependencies: ["CloudStorage", "CloudWire", "CloudCore", "HTTPCore", "CloudCrypto"]),
        .target(name: "CoreLocation"),
        .target(
            name: "CloudKit",
            dependencies: ["CloudClient", "CloudCore", "CloudWire", "CoreLocation", "HTTPCore", "HTTPClient"]),
        .target(name: "ViewGraph"),
        .target(name: "CViewAssets", exclude: ["web"]),
        .target(
            name: "ViewServer",
            dependencies: ["ViewGraph", "CViewAssets", "CloudWire", "CloudCrypto", "HTTPCore", "HTTPServer"]),
        .target(name: "_Testing_UIKit"),
        .target(name: "UIKit", dependencies: ["CloudKit", "_Testing_UIKit"]),
        .target(name: "UniformTypeIdentifiers"),
        .target(name: "CoreTransferable", dependencies: ["UniformTypeIdentifiers"]),
        .target(
            name: "SwiftUI",
            dependencies: [
                "ViewGraph", "ViewServer", "UIKit", "CloudKit", "CoreTransferable", "UniformTypeIdentifiers",
                "HTTPClient", "HTTPCore",
            ]),
        .target(
            name: "PhotosUI", dependencies: ["SwiftUI", "ViewGraph", "CoreTransferable", "UniformTypeIdentifiers"]),
        .target(name: "SwiftUITesting", dependencies: ["SwiftUI", "ViewGraph", "CloudKit"]),
        .target(
            name: "CloudCommands",
            dependencies: [
                "CloudServer", "CloudStorage", "CloudClient", "CloudWire", "CloudCore", "CloudCrypto", "HTTPCore",
                "HTTPServer", "HTTPClient", "SQLCore", "SQLiteDriver", "PostgresDriver", "ViewServer",
            ]),
        // run
        .executableTarget(name: "cumulet", dependencies: ["CloudCommands"]),
        // tests
        .target(
            name: "CloudTestSupport",
            dependencies: [
                "CloudServer", "CloudStorage", "CloudClient", "CloudWire", "CloudCore", "CloudCrypto", "CloudKit",
                "HTTPCore", "HTTPServer", "HTTPClient", "SQLCore", "SQLiteDriver", "PostgresDriver",
                "DatabaseTestSupport",
            ],
            path: "Tests/Support/CloudTestSupport"),
        .target(
            name: "DatabaseTestSupport",
            dependencies: ["SQLCore", "SQLiteDriver", "PostgresDriver", "ProcessTestSupport"],
            path: "Tests/Support/DatabaseTestSupport"),
        .systemLibrary(name: "CSpawn", path: "Tests/Support/CSpawn"),
        .systemLibrary(name: "CIndexStore", path: "Tests/Support/CIndexStore"),
        .target(name: "ProcessTestSupport", dependencies: ["CSpawn"], path: "Tests/Support/ProcessTestSupport"),
        .testTarget(name: "ProcessTestSupportTests", dependencies: ["ProcessTestSupport"]),
        .testTarget(
            name: "ContractTests", dependencies: ["DatabaseTestSupport", "SQLCore", "SQLiteDriver", "PostgresDriver"]),
        .testTarget(name: "CloudCoreTests", dependencies: ["CloudCore"]),
        .testTarget(
            name: "CloudWireTests", dependencies: ["CloudWire", "CloudCore"]),
        .testTarget(name: "SQLiteDriverTests", dependencies: ["SQLiteDriver", "SQLCore"]),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTPClient", "HTTPCore", "CloudTestSupport"]),
        .testTarget(
            name: "ViewServerTests",
            dependencies: ["ViewServer", "ViewGraph", "CloudWire", "HTTPCore", "HTTPServer", "CloudTestSupport"]),
        .executableTarget(
            name: "viewsample", dependencies: ["SwiftUI"], path: "Tests/Support/ViewSample"),
        .testTarget(name: "HTTPClientTests", dependencies: ["HTTPServer", "HTTPClient", "HTTPCore"]),
        .testTarget(name: "CloudCryptoTests", dependencies: ["CloudCrypto"]),
        .testTarget(
            name: "CloudStorageTests",
            dependencies: [
                "CloudStorage", "CloudCore", "SQLCore", "SQLiteDriver", "PostgresDriver", "DatabaseTestSupport",
            ]),
        .testTarget(
            name: "CloudServerTests",
            dependencies: [
                "CloudServer", "CloudStorage", "CloudWire", "CloudCore", "CloudCrypto", "HTTPCore", "HTTPServer",
                "SQLCore", "SQLiteDriver", "PostgresDriver", "CloudTestSupport", "DatabaseTestSupport",
            ]),
        .testTarget(name: "ViewGraphTests", dependencies: ["ViewGraph"]),
        .testTarget(
            name: "SwiftUITests",
            dependencies: [
                "SwiftUI", "SwiftUITesting", "PhotosUI", "CoreTransferable", "UniformTypeIdentifiers", "ViewGraph",
                "CloudKit", "CloudClient", "CloudTestSupport",
            ]),
        .testTarget(
            name: "CloudKitTests",
            dependencies: ["CloudKit", "CloudCore", "CoreLocation", "ProcessTestSupport", "CIndexStore"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "CloudKit", "CloudServer", "CloudClient", "CloudCore", "CoreLocation", "HTTPCore", "HTTPServer",
                "HTTPClient", "CloudTestSupport", "DatabaseTestSupport", "CloudStorage",
            ]),
        .testTarget(
            name: "CloudCommandsTests",
            dependencies: [
                "CloudCommands", "CloudCrypto", "CloudStorage", "CloudKit", "HTTPCore", "HTTPClient", "SQLCore",
                "SQLiteDriver", "PostgresDriver",
                "DatabaseTestSupport", "ProcessTestSupport", "CloudTestSupport",
            ]),
    ],
    cxxLanguageStandard: .cxx17)

// Every Swift target is built the same way.
for target in package.targets where ![.system, .plugin, .macro].contains(target.type) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
