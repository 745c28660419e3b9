/// The page that a share's URL shows in a browser.
enum SharePage {
    static func address(of guid: String, at serviceURL: String) -> String {
        "\(serviceURL)/share/\(RequestTarget.encode(guid))"
    }
}
