import CSpawn
import Glibc

/// One call of `posix_spawnp` and what it needs. Ends with `end()`, in every case.
struct Spawn {
    private let program: String
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    /// Our ends of the pipes; the caller's after the start.
    private var readers: [Int32] = []
    /// The process' ends of the pipes.
    private var writers: [Int32] = []

    init(program: String) {
        self.program = program
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
    }

    /// Sends a stream to its destination.
    /// - Returns: The end to read from, when that is a pipe.
    mutating func direct(
        _ stream: Int32, to destination: ChildProcess.Destination
    ) throws(ChildProcess.StartError) -> Int32? {
        switch destination {
        case .inherited: break
        case .discarded: try open("/dev/null", as: stream, O_WRONLY)
        case .file(let path): try open(path, as: stream, O_WRONLY | O_CREAT | O_APPEND)
        case .pipe:
            var ends: [Int32] = [-1, -1]
            try check("pipe2", pipe2(&ends, O_CLOEXEC) == 0 ? 0 : errno)
            readers.append(ends[0])
            writers.append(ends[1])
            try copy(ends[1], to: stream)
            return ends[0]
        }
        return nil
    }

    mutating func open(_ path: String, as stream: Int32, _ flags: Int32) throws(ChildProcess.StartError) {
        try check(path, posix_spawn_file_actions_addopen(&actions, stream, path, flags, 0o600))
    }

    mutating func copy(_ descriptor: Int32, to stream: Int32) throws(ChildProcess.StartError) {
        try check("dup2", posix_spawn_file_actions_adddup2(&actions, descriptor, stream))
    }

    mutating func start(
        _ arguments: [String], _ environment: ChildEnvironment, folder: String?, ownGroup: Bool
    ) throws(ChildProcess.StartError) -> pid_t {
        if let folder { try check("chdir", posix_spawn_file_actions_addchdir_np(&actions, folder)) }
        try check("closefrom", posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1))
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        if ownGroup { flags |= POSIX_SPAWN_SETPGROUP }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        try check("setflags", posix_spawnattr_setflags(&attributes, Int16(flags)))
        let words = Self.copies([program] + arguments)
        let variables = Self.copies(environment.values.map { "\($0.key)=\($0.value)" })
        defer { for text in words + variables { free(text) } }
        var id: pid_t = 0
        try check("posix_spawnp", posix_spawnp(&id, program, &actions, &attributes, words, variables))
        readers = []
        return id
    }

    /// Closes what the process has got, or all when none was started.
    mutating func end() {
        for descriptor in readers + writers { close(descriptor) }
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
    }

    /// C strings that the caller frees, with the `nil` that ends their list.
    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }

    private func check(_ call: String, _ number: Int32) throws(ChildProcess.StartError) {
        guard number == 0 else { throw ChildProcess.StartError(program: program, call: call, number: number) }
    }
}
