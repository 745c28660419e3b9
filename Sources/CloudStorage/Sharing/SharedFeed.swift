import CloudCore

extension CloudTransaction {
    /// Changes in a zone that somebody takes part in, by one share of all of it or by shares of trees.
    ///
    /// The token says for each share how far it was read. A share accepted since then begins at its start; what was
    /// seen by one that is lost is told as deleted.
    func sharedZoneChanges(_ access: ZoneAccess, of user: String, since text: String?, _ reader: inout FeedReader)
        throws -> ZoneChangesPage
    {
        var token =
            try text.map { try SharedZoneToken.decode($0, secret: secret) } ?? fresh(access, user, reader.isReverse)
        guard token.fits(access, user: SharedToken.digest(of: user), isReverse: reader.isReverse) else {
            throw SyncTokenCodec.expiredZone
        }
        token.resume(access)
        var isDone = true
        for position in token.places.indices where isDone {
            var place = token.places[position]
            let feed: FeedReader.Feed
            switch access.view {
            case .whole: feed = .zone(knownSince: place.since)
            case .trees(let trees):
                if let tree = trees[place.share] {
                    if !reader.isReverse, tree.lastChange <= place.number {
                        token.places[position].number = access.zone.lastChange
                        continue
                    }
                    feed = .tree(share: place.share, knownSince: place.since)
                } else {
                    var deleted = place.lost ?? 0
                    isDone = try reader.read(.lost(share: place.share, known: place.number), from: &deleted)
                    token.places[position].lost = isDone ? .max : deleted
                    continue
                }
            }
            isDone = try reader.read(feed, from: &place.number)
            if isDone, !reader.isReverse { place.number = max(place.number, access.zone.lastChange) }
            token.places[position] = place
        }
        token.places.removeAll { $0.lost == .max }
        return ZoneChangesPage(
            changes: reader.changes, syncToken: token.encode(secret: secret), moreComing: !isDone)
    }

    /// Where the feed of a zone that somebody takes part in stands.
    func currentToken(_ access: ZoneAccess, of user: String) -> String {
        var token = fresh(access, user, false)
        token.resume(access)
        for position in token.places.indices { token.places[position].number = access.zone.lastChange }
        return token.encode(secret: secret)
    }

    private func fresh(_ access: ZoneAccess, _ user: String, _ isReverse: Bool) -> SharedZoneToken {
        SharedZoneToken(
            kind: SharedZoneToken.Kind(access, isReverse: isReverse),
            databaseIncarnation: access.database.incarnation, zoneIncarnation: access.zone.incarnation,
            user: SharedToken.digest(of: user), places: [])
    }
}

extension SharedZoneToken {
    func fits(_ access: ZoneAccess, user: UInt64, isReverse: Bool) -> Bool {
        kind == Kind(access, isReverse: isReverse) && databaseIncarnation == access.database.incarnation
            && zoneIncarnation == access.zone.incarnation && self.user == user
            && (isReverse || places.allSatisfy { $0.number <= access.database.counter })
    }

    /// Takes in the shares that came since the token was made, and sees which went.
    mutating func resume(_ access: ZoneAccess) {
        let shares = access.shares
        let known = Set(places.map(\.share))
        for position in places.indices where places[position].lost != nil && shares.contains(places[position].share) {
            // Lost for a while, and the client has been told in part: all that is there is told again.
            places[position].lost = nil
            places[position].number = 0
        }
        // The records of a shared zone that were deleted before somebody came are none of his.
        for share in shares where !known.contains(share) {
            places.append(
                Place(
                    share: share, number: kind.isReverse ? .max : 0,
                    since: kind.isReverse ? .max : access.zone.lastChange))
        }
        if kind != .trees { places.removeAll { !shares.contains($0.share) } }
    }
}
