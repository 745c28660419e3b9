import CloudKit
import Glibc

/// What a stage asks of the device that this process plays, a line of standard input each.
struct StageOrders {
    private let device: CloudDevice

    init(_ device: CloudDevice) { self.device = device }

    /// Listens on a thread of its own. With the stage the device ends: its input is at an end then.
    func listen() {
        let device = device
        Thread.detachNewThread {
            while let line = readLine() {
                switch line {
                case "offline": device.isOffline = true
                case "online": device.isOffline = false
                default:
                    FileHandle.standardError.write(Data("the stage said '\(line)', which means nothing here\n".utf8))
                }
            }
            kill(getpid(), SIGTERM)
        }
    }
}
