import CloudKit
import Glibc
import LastPersonCore

let words = Array(CommandLine.arguments.dropFirst())
guard words.count <= 1, words.first?.hasPrefix("-") != true else {
    fputs("usage: lastperson [NAME]\n", stderr)
    exit(64)
}
let book = LastPersonBook()
do {
    if let name = words.first { try await book.write(name) }
    print(try await book.lastName() ?? "nobody yet")
} catch {
    fputs("lastperson: \(error.localizedDescription)\n", stderr)
    exit(1)
}
