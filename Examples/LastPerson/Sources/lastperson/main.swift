import CloudKit
import Glibc
import LastPersonCore

let words = Array(CommandLine.arguments.dropFirst())
guard words.count <= 1, words.first?.hasPrefix("-") != true else {
    FileHandle.standardError.write(Data("usage: lastperson [NAME]\n".utf8))
    exit(64)
}
let book = LastPersonBook()
do {
    if let name = words.first { try await book.write(name) }
    print(try await book.lastName() ?? "nobody yet")
} catch {
    FileHandle.standardError.write(Data("lastperson: \(error.localizedDescription)\n".utf8))
    exit(1)
}
