import CloudTestSupport
import Testing

/// Everybody, before everything that can be shared or not, with each operation: what the answer has to be.
///
/// Written by hand from the protocol's reference (3.12, 3.7, 3.8, 2.1) and `Docs/Compatibility.md`, never from what the service said.
@Suite struct `Rights to records and zones` {
    /// Signs in an answer.
    ///
    /// | | |
    /// |---|---|
    /// | `.` | done, or shown |
    /// | `-` | answered, and not there |
    /// | `=` | answered as done, and nothing happened, as for a record that is not there |
    /// | `N` `Z` | `NOT_FOUND`, `ZONE_NOT_FOUND` |
    /// | `D` `B` | `ACCESS_DENIED`, `BAD_REQUEST` |
    /// | `A` `F` | `AUTHENTICATION_REQUIRED`, `AUTHENTICATION_FAILED` |
    private static let codes = [
        "NOT_FOUND": "N", "ZONE_NOT_FOUND": "Z", "ACCESS_DENIED": "D", "BAD_REQUEST": "B",
        "AUTHENTICATION_REQUIRED": "A", "AUTHENTICATION_FAILED": "F",
    ]

    /// Tree S: `root` and `leaf`; tree O, public for writing: `open` and `openleaf`; tree P, public for reading: `shown` and
    /// `shownleaf`; all in the zone Trees, as is `out`, which is in none. The zone Whole with `w` is shared as a whole, the
    /// zone Plain with `u` and the default zone with `d` are not. `p` is in the public database. All are the owner's.
    ///
    /// Columns: nobody, API token alone, a user without part; of the tree S: invited, may read, may write, administrator, left,
    /// removed; public participants of O and of P; of the zone Whole: may read, may write, left; the owner; a
    /// server-to-server key.
    private static let table = """
        shared   Trees   root       lookup    B A Z Z . . . Z Z N N Z Z Z Z D
        shared   Trees   leaf       lookup    B A Z Z . . . Z Z N N Z Z Z Z D
        shared   Trees   out        lookup    B A Z Z N N N Z Z N N Z Z Z Z D
        shared   Trees   S          lookup    B A Z Z . . . Z Z N N Z Z Z Z D
        shared   Trees   openleaf   lookup    B A Z Z N N N Z Z . N Z Z Z Z D
        shared   Trees   shownleaf  lookup    B A Z Z N N N Z Z N . Z Z Z Z D
        shared   Trees   O          lookup    B A Z Z N N N Z Z . N Z Z Z Z D
        shared   Whole   w          lookup    B A Z Z Z Z Z Z Z Z Z . . Z Z D
        shared   Whole   cloudkit.zoneshare  lookup  B A Z Z Z Z Z Z Z Z Z . . Z Z D
        shared   Plain   u          lookup    B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   _defaultZone  d    lookup    B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   Trees   leaf       query     B A Z Z . . . Z Z - - Z Z Z Z D
        shared   Trees   out        query     B A Z Z - - - Z Z - - Z Z Z Z D
        shared   Trees   openleaf   query     B A Z Z - - - Z Z . - Z Z Z Z D
        shared   Whole   w          query     B A Z Z Z Z Z Z Z Z Z . . Z Z D
        shared   Plain   u          query     B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   Trees   leaf       queryWide B A B B B B B B B B B B B B B D
        shared   Trees   leaf       feed      B A Z Z . . . Z Z - - Z Z Z Z D
        shared   Trees   S          feed      B A Z Z . . . Z Z - - Z Z Z Z D
        shared   Trees   out        feed      B A Z Z - - - Z Z - - Z Z Z Z D
        shared   Trees   shownleaf  feed      B A Z Z - - - Z Z - . Z Z Z Z D
        shared   Whole   w          feed      B A Z Z Z Z Z Z Z Z Z . . Z Z D
        shared   Plain   u          feed      B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   Trees   -          listed    B A - - . . . - - . . - - - - D
        shared   Whole   -          listed    B A - - - - - - - - - . . - - D
        shared   Plain   -          listed    B A - - - - - - - - - - - - - D
        shared   Trees   -          changed   B A - - . . . - - . . - - - - D
        shared   Whole   -          changed   B A - - - - - - - - - . . - - D
        shared   Trees   -          zone      B A Z Z . . . Z Z . . Z Z Z Z D
        shared   Whole   -          zone      B A Z Z Z Z Z Z Z Z Z . . Z Z D
        shared   Plain   -          zone      B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   Trees   root       update    B A Z Z D . . Z Z D D Z Z Z Z D
        shared   Trees   leaf       update    B A Z Z D . . Z Z D D Z Z Z Z D
        shared   Trees   out        update    B A Z Z D D D Z Z D D Z Z Z Z D
        shared   Trees   openleaf   update    B A Z Z D D D Z Z . D Z Z Z Z D
        shared   Trees   shownleaf  update    B A Z Z D D D Z Z D D Z Z Z Z D
        shared   Whole   w          update    B A Z Z Z Z Z Z Z Z Z D . Z Z D
        shared   Plain   u          update    B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   _defaultZone  d    update    B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   Trees   S          update    B A Z Z D D . Z Z N N Z Z Z Z D
        shared   Whole   cloudkit.zoneshare  update  B A Z Z Z Z Z Z Z Z Z D D Z Z D
        shared   Trees   leaf       createIn  B A Z Z D . . Z Z D D Z Z Z Z D
        shared   Trees   out        createIn  B A Z Z D D D Z Z D D Z Z Z Z D
        shared   Trees   open       createIn  B A Z Z D D D Z Z . D Z Z Z Z D
        shared   Trees   shown      createIn  B A Z Z D D D Z Z D D Z Z Z Z D
        shared   Trees   -          create    B A Z Z D D D Z Z D D Z Z Z Z D
        shared   Whole   -          create    B A Z Z Z Z Z Z Z Z Z D . Z Z D
        shared   Plain   -          create    B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   Trees   leaf       moveOut   B A Z Z D D D Z Z D D Z Z Z Z D
        shared   Trees   leaf       share     B A Z Z D D D Z Z D D Z Z Z Z D
        shared   Whole   w          share     B A Z Z Z Z Z Z Z Z Z D D Z Z D
        shared   Trees   leaf       delete    B A Z Z D . . Z Z = D Z Z Z Z D
        shared   Trees   out        delete    B A Z Z D = = Z Z = D Z Z Z Z D
        shared   Whole   w          delete    B A Z Z Z Z Z Z Z Z Z D . Z Z D
        shared   Plain   u          delete    B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   Trees   root       deleteToo B A Z Z D D D Z Z = D Z Z Z Z D
        shared   New     -          makeZone  B B B B B B B B B B B B B B B B
        shared   Trees   -          dropZone  B B B B B B B B B B B B B B B B
        shared   -       -          onDatabase B A . . . . . . . . . . . . . D
        shared   Trees   -          onZone    B A B B B B B B B B B B B B B D
        shared   Trees   -          onQuery   B A B B B B B B B B B B B B B D
        private  Trees   leaf       lookup    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Trees   S          lookup    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Whole   w          lookup    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Plain   u          lookup    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  _defaultZone  d    lookup    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Trees   leaf       query     B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Whole   w          feed      B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  _defaultZone  d    feed      B A Z Z Z Z Z Z Z Z Z Z Z Z B D
        private  Plain   -          listed    B A - - - - - - - - - - - - . D
        private  Trees   -          changed   B A - - - - - - - - - - - - . D
        private  Trees   -          zone      B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Trees   leaf       update    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Whole   w          update    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Plain   u          update    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  _defaultZone  d    update    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Trees   S          update    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Trees   -          create    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Trees   leaf       delete    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Spare   -          dropZone  B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Trees   -          onZone    B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  -       -          onDatabase B A . . . . . . . . . . . . . D
        public   _defaultZone  p    lookup    B . . . . . . . . . . . . . . .
        public   _defaultZone  p    query     B . . . . . . . . . . . . . . .
        public   _defaultZone  p    update    B A D D D D D D D D D D D D . D
        public   _defaultZone  -    create    B A . . . . . . . . . . . . . .
        public   _defaultZone  p    delete    B A D D D D D D D D D D D D . D
        public   _defaultZone  p    share     B A B B B B B B B B B B B B B B
        public   Trees   leaf       lookup    B Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z
        public   _defaultZone  -    listed    B A . . . . . . . . . . . . . .
        public   -       -          onDatabase B A B B B B B B B B B B B B B B
        public   _defaultZone  -    onZone    B A B B B B B B B B B B B B B B
        public   -       -          onQuery   B A . . . . . . . . . . . . . .
        shared   Trees   leaf       records   B A Z Z . . . Z Z - - Z Z Z Z D
        shared   Trees   out        records   B A Z Z - - - Z Z - - Z Z Z Z D
        shared   Whole   w          records   B A Z Z Z Z Z Z Z Z Z . . Z Z D
        shared   Plain   u          records   B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   Trees   -          zones     B A - - . . . - - . . - - - - D
        shared   Whole   -          zones     B A - - - - - - - - - . . - - D
        shared   Trees   leaf       keep      B A Z Z D . . Z Z D D Z Z Z Z D
        shared   Trees   out        keep      B A Z Z D D D Z Z D D Z Z Z Z D
        shared   Trees   openleaf   keep      B A Z Z D D D Z Z . D Z Z Z Z D
        shared   Whole   w          keep      B A Z Z Z Z Z Z Z Z Z D . Z Z D
        shared   Plain   u          keep      B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        shared   Trees   leaf       again     B A Z Z . . . Z Z N N Z Z Z Z D
        shared   Trees   out        again     B A Z Z N N N Z Z N N Z Z Z Z D
        shared   Whole   w          again     B A Z Z Z Z Z Z Z Z Z . . Z Z D
        shared   Plain   u          again     B A Z Z Z Z Z Z Z Z Z Z Z Z Z D
        private  Trees   leaf       records   B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  _defaultZone  d    records   B A Z Z Z Z Z Z Z Z Z Z Z Z B D
        private  Trees   -          zones     B A - - - - - - - - - - - - . D
        private  Trees   leaf       keep      B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Plain   u          keep      B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        private  Whole   w          again     B A Z Z Z Z Z Z Z Z Z Z Z Z . D
        public   _defaultZone  p    records   B B B B B B B B B B B B B B B B
        public   _defaultZone  p    keep      B A D D D D D D D D D D D D . D
        public   _defaultZone  p    again     B A . . . . . . . . . . . . . .
        public   -       S          resolve   B A N . . . . N N N N N N N . N
        public   -       P          resolve   B . . . . . . . . . . . . . . .
        public   -       S          accept    B A D = . . . D D D D D D D . F
        """

    @Test func `are what the table says for everybody, everywhere`() async throws {
        let world = try await RightsWorld()
        var wrong: [String] = []
        var cells = 0
        for line in Self.table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let (row, wanted) = (RightsWorld.Row(words), Array(words.dropFirst(4)))
            #expect(wanted.count == RightsWorld.Who.allCases.count, "\(line)")
            for (who, sign) in zip(RightsWorld.Who.allCases, wanted) {
                // An invited user who accepts is one who may write from then on: that is for the tests of accepting.
                if row.operation == "accept", who == .invited { continue }
                let answer = try await world.ask(row, by: who)
                var seen = Self.sign(answer, shows: row.shown(who))
                if seen == ".", try await world.isUnchanged(row, who) { seen = "=" }
                cells += 1
                if seen != sign {
                    wrong.append("\(row) by \(who): \(seen) for \(sign): \(answer.body.prefix(300))")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(cells):\n\(wrong.joined(separator: "\n"))")
        #expect(cells > 1200)
        await world.cloud.close()
    }

    private static func sign(_ answer: TestAnswer, shows text: String?) -> String {
        if let code = Bodies.string("serverErrorCode", in: answer.body) { return codes[code] ?? code }
        guard answer.status == 200 else { return "\(answer.status)" }
        guard let text else { return "." }
        return answer.body.contains(text) ? "." : "-"
    }
}
