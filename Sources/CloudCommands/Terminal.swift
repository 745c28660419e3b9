import Glibc

/// Standard input, output and error, whole lines at a time.
package enum Terminal {
    /// Writes a line to standard output at once.
    package static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    /// Writes a line to standard error at once.
    package static func note(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    package static func write(_ text: String, to file: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(file, bytes.baseAddress! + done, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                done += count
            }
        }
    }

    /// The password of `CUMULET_PASSWORD`, or one asked for without showing it.
    /// - Throws: ``Failure`` when there is neither the variable nor a terminal to ask on.
    package static func password(for email: String) throws -> String {
        if let value = variable("CUMULET_PASSWORD") { return value }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure("no password: set CUMULET_PASSWORD or run the command in a terminal")
        }
        write("password of \(email): ", to: STDERR_FILENO)
        var saved = termios()
        guard tcgetattr(STDIN_FILENO, &saved) == 0 else { throw Failure("the terminal cannot be read") }
        var quiet = saved
        quiet.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved)
            write("\n", to: STDERR_FILENO)
        }
        guard let line = readLine(strippingNewline: true), !line.isEmpty else { throw Failure("no password was given") }
        return line
    }

    /// The line that is typed after a question.
    /// - Throws: ``Failure`` when there is no terminal to ask on.
    package static func answer(to question: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { throw Failure("nobody can be asked here: say --yes") }
        write(question, to: STDERR_FILENO)
        return readLine(strippingNewline: true) ?? ""
    }

    /// An environment variable that is set and not empty.
    package static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
