import Foundation

/// The identity and the author of a context, as stores see them.
public struct EditingState: Identifiable, Sendable {
    /// The type of the identity.
    public typealias ID = UUID
    /// The identity of the context, unique within and across processes.
    public let id: UUID
    /// The author that the context's saves have in the history; `nil` for none.
    public var author: String?

    init() {
        id = UUID()
    }
}
