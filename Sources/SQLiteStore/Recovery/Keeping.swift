import ObjectGraph

/// How one delete is kept.
struct Keeping {
    let token: RecoveryToken
    let author: String?
    /// Rows that the transaction changes besides the delete: their versions tell nothing of what was deleted.
    var changedElsewhere = RowSet()
    let externalData: ExternalData?
}

extension SaveRunner {
    /// - Returns: `nil` for a request that is not to be kept.
    func keeping(_ request: DeleteRequest, changedElsewhere: RowSet = RowSet()) -> Keeping? {
        request.recovery.token.map { token in
            Keeping(
                token: token, author: request.author, changedElsewhere: changedElsewhere, externalData: externalData)
        }
    }
}
