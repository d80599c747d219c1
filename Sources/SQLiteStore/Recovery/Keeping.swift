import ObjectGraph

/// How one delete is archived.
struct Keeping {
    let token: RecoveryToken
    let author: String?
    let externalData: ExternalData?
}

extension SaveRunner {
    /// - Returns: `nil` for a request that is not recoverable.
    func keeping(_ request: DeleteRequest) -> Keeping? {
        request.recovery.token.map {
            Keeping(token: $0, author: request.author, externalData: externalData)
        }
    }
}
