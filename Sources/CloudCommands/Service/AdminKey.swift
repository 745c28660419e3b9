import Foundation
import Glibc

/// Where a running service is and the secret that its administrative calls want: the content of `admin.json`.
package struct AdminKey: Codable, Hashable, Sendable {
    package let url: String
    package let secret: String

    package init(url: String, secret: String) {
        self.url = url
        self.secret = secret
    }

    /// Writes the file aside and renames it, readable by its owner only.
    package func write(to path: String) throws {
        let aside = path + ".new"
        unlink(aside)
        let file = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure("\(aside): \(String(cString: strerror(errno)))") }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Terminal.write(String(decoding: try encoder.encode(self), as: UTF8.self) + "\n", to: file)
        close(file)
        guard rename(aside, path) == 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    }

    package static func read(from path: String) throws -> AdminKey {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure("\(path) cannot be read: is the service of this folder still starting, or another user's?")
        }
        do {
            return try JSONDecoder().decode(AdminKey.self, from: data)
        } catch {
            throw Failure("\(path) is damaged; stop the service, delete the file and start it again")
        }
    }
}
