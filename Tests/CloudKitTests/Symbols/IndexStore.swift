import CIndexStore
import Foundation

/// What the compiler noted of the sources of this build: which file uses which symbol.
struct IndexStore {
    /// Symbols that the files below `folders` refer to, by the compiler's own names for them.
    private(set) var used: Set<String> = []

    /// - Parameters:
    ///   - build: The folder of the products.
    ///   - folders: Where the sources are whose uses count.
    init(of build: URL, usesIn folders: [URL]) throws {
        let library = try Library()
        let store = try library.open(build.appendingPathComponent("index/store").path)
        defer { library.closeStore(store) }
        var names: [String] = []
        withUnsafeMutablePointer(to: &names) { context in
            _ = library.units(store, 0, context) { context, name in
                context.assumingMemoryBound(to: [String].self).pointee.append(String(name))
                return true
            }
        }
        var records: Set<String> = []
        for name in names {
            guard let unit = library.readUnit(store, name, nil) else { continue }
            defer { library.closeUnit(unit) }
            let file = String(library.file(unit))
            // A unit outlives its file.
            guard folders.contains(where: { file.hasPrefix($0.path + "/") }),
                FileManager.default.fileExists(atPath: file)
            else { continue }
            records.formUnion(library.records(of: unit))
        }
        for name in records {
            guard let record = library.readRecord(store, name, nil) else { continue }
            defer { library.closeRecord(record) }
            used.formUnion(library.uses(in: record))
        }
    }
}

/// `libIndexStore` of the toolchain that `swift` belongs to.
private struct Library {
    let openStore: index_open
    let closeStore: index_close
    let units: index_units
    let readUnit: index_read
    let closeUnit: index_close
    let file: index_text_of
    let parts: index_parts
    let kind: index_number_of
    let name: index_text_of
    let readRecord: index_read
    let closeRecord: index_close
    let occurrences: index_parts
    let symbol: index_part_of
    let usr: index_text_of

    init() throws {
        guard let library = Self.candidates.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
            throw SymbolGraph.Failure(description: "the toolchain's libIndexStore is not beside its swift")
        }
        func function<Shape>(_ name: String, _ shape: Shape.Type) throws -> Shape {
            guard let address = dlsym(library, "indexstore_" + name) else {
                throw SymbolGraph.Failure(description: "libIndexStore has no function \(name)")
            }
            return unsafeBitCast(address, to: shape)
        }
        openStore = try function("store_create", index_open.self)
        closeStore = try function("store_dispose", index_close.self)
        units = try function("store_units_apply_f", index_units.self)
        readUnit = try function("unit_reader_create", index_read.self)
        closeUnit = try function("unit_reader_dispose", index_close.self)
        file = try function("unit_reader_get_main_file", index_text_of.self)
        parts = try function("unit_reader_dependencies_apply_f", index_parts.self)
        kind = try function("unit_dependency_get_kind", index_number_of.self)
        name = try function("unit_dependency_get_name", index_text_of.self)
        readRecord = try function("record_reader_create", index_read.self)
        closeRecord = try function("record_reader_dispose", index_close.self)
        occurrences = try function("record_reader_occurrences_apply_f", index_parts.self)
        symbol = try function("occurrence_get_symbol", index_part_of.self)
        usr = try function("symbol_get_usr", index_text_of.self)
    }

    /// Beside the first `swift` of the path.
    private static var candidates: [String] {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swift") }
            .filter { FileManager.default.isExecutableFile(atPath: $0.path) }
            .map {
                $0.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
                    .appendingPathComponent("lib/libIndexStore.so").path
            }
    }

    func open(_ path: String) throws -> UnsafeMutableRawPointer {
        guard let store = openStore(path, nil) else {
            throw SymbolGraph.Failure(description: "there is no index at \(path)")
        }
        return store
    }

    private struct Found {
        let library: Library
        var names: Set<String> = []
    }

    /// The records of symbols that a unit refers to.
    func records(of unit: UnsafeMutableRawPointer) -> Set<String> {
        var found = Found(library: self)
        withUnsafeMutablePointer(to: &found) { context in
            _ = parts(unit, context) { context, part in
                let found = context.assumingMemoryBound(to: Found.self)
                let isRecord = UInt32(truncatingIfNeeded: found.pointee.library.kind(part)) == 2
                if isRecord { found.pointee.names.insert(String(found.pointee.library.name(part))) }
                return true
            }
        }
        return found.names
    }

    /// The symbols that a record has: those that are referred to, and those that satisfy a requirement of a protocol by which
    /// they are used.
    func uses(in record: UnsafeMutableRawPointer) -> Set<String> {
        var found = Found(library: self)
        withUnsafeMutablePointer(to: &found) { context in
            _ = occurrences(record, context) { context, occurrence in
                let found = context.assumingMemoryBound(to: Found.self)
                let library = found.pointee.library
                found.pointee.names.insert(String(library.usr(library.symbol(occurrence))))
                return true
            }
        }
        return found.names
    }
}

extension String {
    fileprivate init(_ text: index_text) {
        let bytes = UnsafeRawBufferPointer(start: text.data, count: text.length)
        self.init(decoding: bytes, as: UTF8.self)
    }
}
