/// Style sheet, script and icon, embedded in the executable.
enum StaticFiles {
    private static let files: [String: (type: String, content: [UInt8])] = [
        "browse.css": ("text/css; charset=utf-8", PackageResources.browse_css),
        "browse.js": ("text/javascript; charset=utf-8", PackageResources.browse_js),
        "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
    ]

    /// - Returns: `nil` if the route is not below `static`.
    /// - Throws: `Problem.nothingHere`.
    static func response(_ route: inout Route) throws -> WebResponse? {
        guard route.take("static") else { return nil }
        let name = try route.next() + (route.ending.map { "." + $0 } ?? "")
        try route.end()
        guard let file = files[name] else { throw Problem.nothingHere }
        var response = WebResponse(.ok, type: file.type, file.content)
        response.headers["cache-control"] = "no-cache"
        return response
    }
}
