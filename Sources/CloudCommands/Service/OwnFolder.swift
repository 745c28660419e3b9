import Glibc

/// Folders that belong to the service's user alone.
enum OwnFolder {
    /// Makes a folder (mode 0700) and those above it where they are missing.
    static func make(_ path: String) throws {
        var made = ""
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)[...]
        while let part = parts.popFirst() {
            made += part
            if !made.isEmpty, mkdir(made, 0o700) != 0, errno != EEXIST {
                throw Failure("cannot make the folder \(made): \(reason())")
            }
            made += "/"
        }
    }

    /// Makes the folder of asset files, or sees to it that one which is there is nobody else's and takes files.
    static func prepareAssets(_ path: String) throws {
        try make(path)
        var found = stat()
        guard stat(path, &found) == 0 else { throw Failure("the folder \(path): \(reason())") }
        guard found.st_mode & S_IFMT == S_IFDIR else { throw Failure("\(path) is not a folder") }
        guard found.st_mode & 0o077 == 0 else {
            throw Failure("the folder \(path) is open to other users: chmod 700 closes it")
        }
        let probe = path + "/.write-\(getpid())"
        let file = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure("cannot write to the folder \(path): \(reason())") }
        close(file)
        unlink(probe)
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
