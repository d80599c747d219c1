import ObjectGraph

/// How one delete is archived.
struct ArchiveOptions {
    let token: RecoveryToken
    let author: String?
    let externalData: ExternalData?
}
