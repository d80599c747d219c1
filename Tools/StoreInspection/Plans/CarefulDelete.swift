import ObjectGraph

extension DeleteRequest {
    /// A delete that validates survivors like a context's save: they must keep the minimum number of members.
    package static func careful(_ roots: Roots) -> DeleteRequest {
        var request = DeleteRequest(roots)
        request.counts = .checked
        return request
    }
}
