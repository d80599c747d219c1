/// What most records do without, apart from the record so that a million of them stay small.
@usableFromInline
final class RecordExtras {
    @exclusivity(unchecked) var toMany: [ToManyMembers] = []
    @exclusivity(unchecked) var island: Graph?
    @exclusivity(unchecked) var observer: (any RecordObserver)?
    @exclusivity(unchecked) var deferredLinks = DeferredLinks()
    @exclusivity(unchecked) var committed: SlotValues?
    @exclusivity(unchecked) var version: RowVersion?
    @exclusivity(unchecked) var carried: CarriedValues?
    @exclusivity(unchecked) var refusedProperties: Set<String> = []
    @exclusivity(unchecked) var lender: (any RowLender)?

    var isEmpty: Bool {
        toMany.isEmpty && island == nil && observer == nil && deferredLinks.isEmpty && committed == nil
            && version == nil && carried == nil && refusedProperties.isEmpty && lender == nil
    }
}

extension Record {
    /// Values as last saved or read, once the record was edited.
    package internal(set) var committed: SlotValues? {
        get { extras?.committed }
        set {
            guard extras != nil || newValue != nil else { return }
            madeExtras.committed = newValue
            dropEmptyExtras()
        }
    }

    package internal(set) var version: RowVersion {
        get { extras?.version ?? RowVersion(smallVersion) }
        set {
            let small = UInt8(exactly: newValue)
            smallVersion = small ?? 0
            if extras != nil || small == nil { madeExtras.version = small == nil ? newValue : nil }
        }
    }

    /// What a fault knows of its row; `nil` for a record that was read whole, or not at all.
    var carried: CarriedValues? {
        get { extras?.carried }
        set {
            guard extras?.carried != nil || newValue != nil else { return }
            madeExtras.carried = newValue
            dropEmptyExtras()
        }
    }

    /// Reads the row where the object's graph is gone.
    package internal(set) var lender: (any RowLender)? {
        get { extras?.lender }
        set { if extras != nil || newValue != nil { madeExtras.lender = newValue } }
    }

    /// Properties that were given values for which there are no slots' values. They keep the former ones, and nothing of the
    /// object can be saved until they are set anew, or the edit is taken back.
    var refusedProperties: Set<String> { extras?.refusedProperties ?? [] }

    /// A property was given a value that its slots cannot hold. An object whose row is gone ignores it.
    package func refuse(_ property: String) {
        if isFault { fire() }
        guard !isGone else { return }
        beginEdit()
        madeExtras.refusedProperties.insert(property)
    }

    /// The property was given a value that its slots hold.
    package func accept(_ property: String) {
        if extras != nil { forgetRefused(property) }
    }

    private func forgetRefused(_ property: String) {
        guard extras?.refusedProperties.remove(property) != nil else { return }
        dropEmptyExtras()
    }

    /// The edits are taken back.
    func forgetRefused() {
        guard let extras, !extras.refusedProperties.isEmpty else { return }
        extras.refusedProperties = []
        dropEmptyExtras()
    }

    private func dropEmptyExtras() {
        if extras?.isEmpty == true { extras = nil }
    }

    /// One per to-many relationship of the entity; empty until one is used.
    var toMany: [ToManyMembers] {
        get { extras?.toMany ?? [] }
        set { if extras != nil || !newValue.isEmpty { madeExtras.toMany = newValue } }
    }

    /// Keeps alive the graph of objects that were linked before any was inserted; `nil` otherwise.
    var island: Graph? {
        get { extras?.island }
        set { if extras != nil || newValue != nil { madeExtras.island = newValue } }
    }

    /// Told of changes that no setter made; there only once somebody observes the object.
    package var observer: (any RecordObserver)? {
        get { extras?.observer }
        set {
            if extras != nil || newValue != nil { madeExtras.observer = newValue }
            if newValue != nil { graph?.identityMap.isObserved = true }
        }
    }

    /// Links made before the object was known, for when it is.
    package var deferredLinks: [DeferredLink] { extras?.deferredLinks.all ?? [] }

    /// A relationship will lead there, and nowhere else, once the object is known.
    package func deferLink(_ link: DeferredLink) {
        madeExtras.deferredLinks.set(link)
    }

    /// The same for any number of destinations.
    package func deferLink(to destinations: [Graph.Member], _ relationshipIndex: Int) {
        if let link = DeferredLink(relationshipIndex: relationshipIndex, destinations: destinations) {
            deferLink(link)
        } else {
            forgetDeferredLink(relationshipIndex)
        }
    }

    package func forgetDeferredLink(_ relationshipIndex: Int) {
        extras?.deferredLinks.remove(relationshipIndex)
    }

    /// The same while the object is being initialised; one that was made for a row keeps the row's links.
    package func forgetInitialLink(_ relationshipIndex: Int) {
        if let extras, !isObjectComplete { extras.deferredLinks.remove(relationshipIndex) }
    }

    /// The same where it may be that the initialiser is done.
    /// - Returns: whether it still runs.
    package func forgetLinkIfUnmet(_ relationshipIndex: Int) -> Bool {
        guard isUnmet else { return false }
        forgetDeferredLink(relationshipIndex)
        return true
    }

    /// The links, which are then no longer deferred.
    func takeDeferredLinks() -> DeferredLinks {
        guard let extras, !extras.deferredLinks.isEmpty else { return DeferredLinks() }
        var links = DeferredLinks()
        swap(&links, &extras.deferredLinks)
        // Nearly all new objects have links, and few have anything else.
        dropEmptyExtras()
        return links
    }

    /// Whether the stored members of a to-many relationship have been read.
    func isRead(toMany index: Int) -> Bool {
        guard let extras, index < extras.toMany.count else { return false }
        return extras.toMany[index].isRead
    }

    /// Whether somebody waits for the object to change.
    var isAwaited: Bool { extras?.observer?.isAwaited == true }

    /// Identifiers of the members of a to-many relationship, in order; `nil` when they have not been read.
    package func knownMembers(of relationship: EntityRelationship) -> [ObjectID]? {
        relationship.toManyIndex.flatMap(currentMembers)
    }

    /// The members of a to-many relationship; `nil` when the stored ones have not been read.
    func currentMembers(_ index: Int) -> [ObjectID]? {
        guard let extras, index < extras.toMany.count else { return nil }
        return extras.toMany[index].current
    }

    func members(_ index: Int) -> ToManyMembers {
        guard let extras, index < extras.toMany.count else { return ToManyMembers() }
        return extras.toMany[index]
    }

    func withMembers<Result>(_ index: Int, _ body: (inout ToManyMembers) -> Result) -> Result {
        let extras = madeExtras
        while extras.toMany.count <= index { extras.toMany.append(ToManyMembers()) }
        return body(&extras.toMany[index])
    }

    /// Whether unsaved work changes which destinations a relationship has.
    func isRelinked(_ relationship: EntityRelationship) -> Bool {
        if isInserted { return true }
        if let index = relationship.toManyIndex { return members(index).isEdited }
        guard let slot = relationship.slot, let committed, slot < committed.count, slot < values.count else {
            return false
        }
        return committed[slot] != values[slot]
    }

    private var madeExtras: RecordExtras {
        if let extras { return extras }
        let made = RecordExtras()
        extras = made
        return made
    }
}

/// Watches one record for its face.
package protocol RecordObserver: AnyObject {
    /// Whether anybody waits to be told, at this time.
    var isAwaited: Bool { get }
    /// A relationship (or, with `nil`, anything) is about to change without its setter having been called: inverse
    /// upkeep, rollback, merge.
    func willChange(_ record: Record, relationship: EntityRelationship?)
    func didChange(_ record: Record, relationship: EntityRelationship?)
}
