import ObjectGraph

extension DeleteRequest {
    /// A delete as an app's context would save it: rows that stay keep the number of members that their model asks for.
    package static func careful(_ roots: Roots) -> DeleteRequest {
        var request = DeleteRequest(roots)
        request.counts = .checked
        return request
    }
}
