import CloudKit

#if WITH_FOUNDATION
    import Foundation
#endif

final class Account {
    let container = CKContainer(identifier: "iCloud.com.example.app")

    func status() async throws -> String {
        let id: String? = CKContainer.default().containerIdentifier
        switch try await container.accountStatus() {
        case .available: return id ?? ""
        case .noAccount, .restricted: return "sign in"
        case .couldNotDetermine, .temporarilyUnavailable: return "later"
        @unknown default: return ""
        }
    }

    func oldStatus() {
        container.accountStatus { status, error in
            if status == .available, error == nil, status.rawValue == 1 {
                print(CKAccountStatus(rawValue: 3) ?? .noAccount)
            }
        }
        container.fetchUserRecordID { recordID, error in
            print(recordID?.recordName ?? "", error?.localizedDescription ?? "")
        }
    }

    func observe() -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: .main) { _ in }
    }

    func databases() async throws {
        let user: CKRecord.ID = try await container.userRecordID()
        let all = [container.privateCloudDatabase, container.publicCloudDatabase, container.sharedCloudDatabase]
        for database in all where database === container.database(with: database.databaseScope) { print(user) }
        let scopes: [CKDatabase.Scope] = [.private, .public, .shared]
        print(scopes.map(\.rawValue), CKDatabase.Scope(rawValue: 2) as Any)
    }

    func configured() async throws {
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = .userInitiated
        let group = CKOperationGroup()
        let name = container.configuredWith(configuration: configuration) { $0.containerIdentifier }
        let status = try await container.configuredWith(configuration: configuration, group: group) {
            try await $0.accountStatus()
        }
        let scope = container.privateCloudDatabase.configuredWith(configuration: configuration) { $0.databaseScope }
        let zones = try await container.privateCloudDatabase.configuredWith(group: group) {
            try await $0.allRecordZones()
        }
        print(name as Any, status, scope, zones)
    }

    func longLived() async throws {
        container.fetchAllLongLivedOperationIDs { ids, error in
            guard let ids, error == nil else { return }
            for id in ids {
                self.container.fetchLongLivedOperation(withID: id) { operation, _ in
                    guard let operation = operation as? CKModifyRecordsOperation else { return }
                    operation.modifyRecordsResultBlock = { _ in }
                    self.container.add(operation)
                }
            }
        }
        for id in try await container.allLongLivedOperationIDs() {
            if let operation = try await container.longLivedOperation(for: id) { container.add(operation) }
        }
    }

    func permissions() async throws {
        let permission: CKContainer_Application_Permissions = [.userDiscoverability]
        let raw = CKContainer.ApplicationPermissions(rawValue: permission.rawValue)
        container.status(forApplicationPermission: raw) { (status: CKContainer_Application_PermissionStatus, _) in
            switch status {
            case .initialState, .couldNotComplete, .denied, .granted: break
            @unknown default: break
            }
        }
        let block: CKContainer_Application_PermissionBlock = { status, error in print(status.rawValue, error as Any) }
        container.requestApplicationPermission(permission, completionHandler: block)
        let older: CKContainer.Application.PermissionBlock = block
        older(CKContainer.ApplicationPermissionStatus(rawValue: 0)!, nil)
        let first: CKContainer.Application.PermissionStatus = try await container.applicationPermissionStatus(
            for: permission)
        let second = try await container.requestApplicationPermission(
            CKContainer.Application.Permissions.userDiscoverability)
        let third: CKContainer.ApplicationPermissionBlock = block
        print(first, second, third as Any)
    }
}
