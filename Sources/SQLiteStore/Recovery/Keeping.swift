import ObjectGraph

/// How one delete is archived.
struct Keeping {
    let token: RecoveryToken
    let author: String?
    let externalData: ExternalData?
}
