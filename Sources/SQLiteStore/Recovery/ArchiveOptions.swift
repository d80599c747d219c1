import ObjectGraph

/// How one delete is archived.
struct ArchiveOptions {
    let token: RecoveryToken
    let author: String?
    let externalData: ExternalData?
}

extension SaveRunner {
    /// - Returns: `nil` for a request that is not recoverable.
    func archiveOptions(_ request: DeleteRequest) -> ArchiveOptions? {
        request.recovery.token.map {
            ArchiveOptions(token: $0, author: request.author, externalData: externalData)
        }
    }
}
