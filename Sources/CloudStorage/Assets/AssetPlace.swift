package import CloudCore
import SQLCore

/// A field that holds an asset, or is to hold one, as one caller sees it.
package struct AssetPlace: Hashable, Sendable {
    package var database: DatabaseID
    package var zone: ZoneID
    package var recordName: String
    package var fieldName: String
    /// The user record name of the caller; `nil` for nobody.
    package var user: String?

    /// - Parameters:
    ///   - database: As the request names it; a zone that somebody shares lies in its owner's private database.
    package init(database: DatabaseID, zone: ZoneID, recordName: String, fieldName: String, user: String?) {
        let isPublic = zone.owner == DatabaseID.publicOwner
        self.database = DatabaseID(
            container: database.container, environment: database.environment, scope: isPublic ? .public : .private,
            owner: zone.owner)
        self.zone = zone
        self.recordName = recordName
        self.fieldName = fieldName
        self.user = user
    }

    /// The database that the caller sees the record in: his shared one if somebody else owns it.
    fileprivate var view: DatabaseID {
        guard database.scope == .private, database.owner != user else { return database }
        return DatabaseID(
            container: database.container, environment: database.environment, scope: .shared, owner: user ?? "")
    }
}

extension CloudTransaction {
    /// What the caller may do with the zone of an asset. What else assets ask about rights is the record's own: whoever
    /// may save it may upload for it, whoever may read it may download.
    /// - Throws: `ZONE_NOT_FOUND` where the caller may see no zone, so that nobody learns what exists.
    func reach(_ place: AssetPlace) throws -> ZoneAccess { try access(to: place.zone, in: place.view) }

    /// - Returns: The database that the asset is to be part of.
    /// - Throws: `ZONE_NOT_FOUND`; `ACCESS_DENIED` when the caller may not save the record.
    @discardableResult
    package func requireAssetUpload(to place: AssetPlace) throws -> DatabaseRef {
        guard let user = place.user else {
            throw CloudError(.authenticationRequired, "request needs authorization", nativeCode: 9)
        }
        let access = try reach(place)
        let record = try records([place.recordName], zone: place.zone, in: place.view)[0]
        let isForeign = place.database.scope == .public && record.map { $0.created.userRecordName != user } ?? false
        guard try mayWrite(recordNamed: place.recordName, access), !isForeign else {
            throw CloudError(.accessDenied, "WRITE operation not permitted", nativeCode: 10)
        }
        return access.database
    }

    /// The assets that the field holds now.
    /// - Throws: `ZONE_NOT_FOUND` or `NOT_FOUND` also where the caller may not read the record.
    package func assets(at place: AssetPlace) throws -> FieldValue {
        _ = try reach(place)
        guard let record = try records([place.recordName], zone: place.zone, in: place.view, for: place.user)[0]
        else { throw CloudError(.notFound, "Record '\(place.recordName)' not found", nativeCode: 11) }
        guard let value = record.fields[place.fieldName], !value.assets.isEmpty else {
            throw CloudError(
                .notFound, "field '\(place.fieldName)' of record '\(place.recordName)' holds no asset", nativeCode: 11)
        }
        return value
    }

    /// The name and size of the file of an asset that the field holds now.
    /// - Throws: As ``assets(at:)``; `NOT_FOUND` when the field holds another asset by now.
    package func assetFile(of content: [UInt8], at place: AssetPlace) throws -> AssetFile {
        guard let asset = try assets(at: place).assets.first(where: { $0.content == content }) else {
            throw CloudError(
                .notFound, "field '\(place.fieldName)' of record '\(place.recordName)' holds another asset by now",
                nativeCode: 16)
        }
        let suffix = try connection.first(
            "SELECT suffix FROM asset_file WHERE content = ?1", .blob(content)
        ) { $0.text(0) }
        guard let suffix else {
            throw CloudError(.internalError, "the file of an asset is lost", nativeCode: 16)
        }
        return AssetFile(
            name: AssetFileName(content: content, suffix: suffix), fileChecksum: asset.fileChecksum, size: asset.size)
    }
}
