package import CloudCore
import CloudWire
package import HTTPCore

/// The service's own calls, which no container has part in: signing a device in and out, and web tokens.
package enum CumuletCalls {
    package static func signIn(
        server: String, emailAddress: String, password: String?, deviceID: String, deviceName: String,
        transport: any HTTPTransport
    ) async throws -> (deviceSession: String, accountName: String) {
        let body = SignInRequest(
            emailAddress: emailAddress, password: password, deviceID: deviceID, deviceName: deviceName)
        let bytes = try await post("sign-in", body.encode(), server, transport)
        do {
            let answer = try SignInResponse.decode(bytes)
            return (answer.deviceSession, answer.accountName)
        } catch {
            throw Refusal.unreadable(error, of: "sign-in")
        }
    }

    package static func signOut(server: String, deviceSession: String, transport: any HTTPTransport) async throws {
        _ = try await post("sign-out", SignOutRequest(deviceSession: deviceSession).encode(), server, transport)
    }

    package static func webToken(
        server: String, deviceSession: String, container: ContainerID, environment: CloudEnvironment,
        apiToken: String, transport: any HTTPTransport
    ) async throws -> (token: String, userRecordName: String) {
        let body = WebTokenRequest(
            deviceSession: deviceSession, container: container, environment: environment, ckAPIToken: apiToken)
        let bytes = try await post("web-token", body.encode(), server, transport)
        do {
            let answer = try WebTokenResponse.decode(bytes)
            return (answer.ckWebAuthToken, answer.userRecordName)
        } catch {
            throw Refusal.unreadable(error, of: "web-token")
        }
    }

    private static func post(
        _ name: String, _ body: [UInt8], _ server: String, _ transport: any HTTPTransport
    ) async throws -> [UInt8] {
        let request = HTTPRequest(
            method: "POST", target: server + "/cumulet/1/" + name,
            headers: ["Content-Type": "application/json; charset=UTF-8"], body: body)
        let response = try await transport.send(request, timeout: .seconds(60))
        guard (200..<300).contains(response.status) else { throw Refusal.error(of: response) }
        return response.body
    }
}
