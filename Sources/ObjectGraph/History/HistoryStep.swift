/// A change of history without its values.
package struct HistoryStep: Sendable {
    let kind: Kind
    let id: ObjectID

    package enum Kind: Sendable, CaseIterable {
        case insert, update, delete
    }

    package init(_ kind: Kind, _ id: ObjectID) {
        self.kind = kind
        self.id = id
    }
}
