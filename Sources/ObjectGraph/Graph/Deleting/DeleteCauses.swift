/// Why an object is pending deletion. It stays deleted as long as there is any cause.
struct DeleteCauses: OptionSet {
    let rawValue: UInt8

    /// The program deleted the object itself.
    static let explicit = DeleteCauses(rawValue: 1)
    /// Delete rules reach the object from one that is deleted here.
    static let rule = DeleteCauses(rawValue: 2)
    /// A bulk delete includes the object's row.
    static let bulk = DeleteCauses(rawValue: 4)
    /// Another context deleted the row: the save writes nothing about it.
    static let remote = DeleteCauses(rawValue: 8)
    /// Delete rules reach the object from one whose row another context deleted. Its own row exists.
    static let remoteRule = DeleteCauses(rawValue: 16)

    static let all: DeleteCauses = [.explicit, .rule, .bulk, .remote, .remoteRule]
}
