import Foundation

/// Which context asks a store for something.
public struct EditingState: Identifiable, Sendable {
    public typealias ID = UUID
    public let id: UUID
    public var author: String?

    init() {
        id = UUID()
    }
}
