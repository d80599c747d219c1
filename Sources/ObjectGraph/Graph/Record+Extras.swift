/// State that most records do not have, stored apart from the record so that a million of them stay small.
@usableFromInline
final class RecordExtras {
    @exclusivity(unchecked) var toMany: [ToManyMembers] = []
    @exclusivity(unchecked) var detachedGraph: Graph?
    @exclusivity(unchecked) var observer: (any RecordObserver)?
    @exclusivity(unchecked) var deferredLinks = DeferredLinks()
    @exclusivity(unchecked) var committed: SlotValues?
    @exclusivity(unchecked) var version: RowVersion?
    @exclusivity(unchecked) var carried: CarriedValues?
    @exclusivity(unchecked) var refusedProperties: Set<String> = []
    @exclusivity(unchecked) var lender: (any RowLender)?
    @exclusivity(unchecked) var replacedObjects: [WeakObject] = []

    struct WeakObject {
        weak var object: AnyObject?
    }

    var isEmpty: Bool {
        toMany.isEmpty && detachedGraph == nil && observer == nil && deferredLinks.isEmpty && committed == nil
            && version == nil && carried == nil && refusedProperties.isEmpty && lender == nil && replacedObjects.isEmpty
    }
}

extension Record {
    /// Whether the record has any of these: without, it has no edits, lists and partial values.
    var hasExtras: Bool { extras != nil }

    /// Values as last saved or read; set when the record is first edited.
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

    /// A fault's partial values; `nil` for a record that was read completely, or not at all.
    var carried: CarriedValues? {
        get { extras?.carried }
        set {
            guard extras?.carried != nil || newValue != nil else { return }
            madeExtras.carried = newValue
            dropEmptyExtras()
        }
    }

    /// Reads the row after the object's graph was deallocated.
    package internal(set) var lender: (any RowLender)? {
        get { extras?.lender }
        set { if extras != nil || newValue != nil { madeExtras.lender = newValue } }
    }

    /// Properties that were set to values that slots cannot store. They keep their former values, and the object cannot
    /// be saved until they are set again, or the edit is discarded.
    var refusedProperties: Set<String> { extras?.refusedProperties ?? [] }

    /// Records that a property was set to a value that its slots cannot store. Has no effect on an object whose row
    /// does not exist.
    package func refuse(_ property: String) {
        if isFault { fire() }
        guard !isGone else { return }
        beginEdit()
        madeExtras.refusedProperties.insert(property)
    }

    /// Records that the property was set to a value that its slots can store.
    package func accept(_ property: String) {
        if extras != nil { discardRefused(property) }
    }

    private func discardRefused(_ property: String) {
        guard extras?.refusedProperties.remove(property) != nil else { return }
        dropEmptyExtras()
    }

    /// Discards the list of refused properties, because the edits are discarded.
    func discardRefused() {
        guard let extras, !extras.refusedProperties.isEmpty else { return }
        extras.refusedProperties = []
        dropEmptyExtras()
    }

    private func dropEmptyExtras() {
        if extras?.isEmpty == true { extras = nil }
    }

    /// One element for each to-many relationship of the entity; empty until one is used.
    var toMany: [ToManyMembers] {
        get { extras?.toMany ?? [] }
        set { if extras != nil || !newValue.isEmpty { madeExtras.toMany = newValue } }
    }

    /// Keeps the detached graph of objects alive that were linked before any was inserted; otherwise `nil`.
    var detachedGraph: Graph? {
        get { extras?.detachedGraph }
        set { if extras != nil || newValue != nil { madeExtras.detachedGraph = newValue } }
    }

    /// Notified of changes that no setter made; set once the object is observed.
    package var observer: (any RecordObserver)? {
        get { extras?.observer }
        set {
            if extras != nil || newValue != nil { madeExtras.observer = newValue }
            if newValue != nil { graph?.identityMap.isObserved = true }
        }
    }

    /// The objects in use that represent the record beside `object`: of records that it replaced.
    var replacedObjects: [AnyObject] { extras?.replacedObjects.compactMap(\.object) ?? [] }

    func addReplaced(_ objects: [AnyObject]) {
        if objects.isEmpty { return }
        madeExtras.replacedObjects += objects.map { RecordExtras.WeakObject(object: $0) }
    }

    /// Links set before the object is known, to be applied when it is.
    package var deferredLinks: [DeferredLink] { extras?.deferredLinks.all ?? [] }

    /// Replaces a relationship's deferred link.
    package func deferLink(_ link: DeferredLink) {
        madeExtras.deferredLinks.set(link)
    }

    /// Replaces a relationship's deferred link with one to any number of destinations.
    package func deferLink(to destinations: [Graph.Member], _ relationshipIndex: Int) {
        if let link = DeferredLink(relationshipIndex: relationshipIndex, destinations: destinations) {
            deferLink(link)
        } else {
            discardDeferredLink(relationshipIndex)
        }
    }

    package func discardDeferredLink(_ relationshipIndex: Int) {
        extras?.deferredLinks.remove(relationshipIndex)
    }

    /// Discards a relationship's deferred link while the object is being initialized. An object made for a row keeps
    /// the row's links.
    package func discardInitialLink(_ relationshipIndex: Int) {
        if let extras, !isObjectComplete { extras.deferredLinks.remove(relationshipIndex) }
    }

    /// Discards a relationship's deferred link, if the initializer still runs.
    /// - Returns: Whether the initializer still runs.
    package func discardLinkDuringInitializer(_ relationshipIndex: Int) -> Bool {
        guard isInInitializer else { return false }
        discardDeferredLink(relationshipIndex)
        return true
    }

    /// Returns the deferred links and removes them.
    func removeDeferredLinks() -> DeferredLinks {
        guard let extras, !extras.deferredLinks.isEmpty else { return DeferredLinks() }
        var links = DeferredLinks()
        swap(&links, &extras.deferredLinks)
        // Nearly all new objects have links, and few have other extras.
        dropEmptyExtras()
        return links
    }

    /// Discards the stored members of all relationships, to read them at the next access. Edits stay.
    func discardStoredMembers() {
        guard let extras else { return }
        for index in extras.toMany.indices { extras.toMany[index].discardStored() }
    }

    /// Whether the stored members of a to-many relationship have been read.
    func isRead(toMany index: Int) -> Bool {
        guard let extras, index < extras.toMany.count else { return false }
        return extras.toMany[index].isRead
    }

    /// Whether an observer waits for the object to change.
    var isAwaited: Bool { extras?.observer?.isAwaited == true }

    /// Returns the identifiers of the members of a to-many relationship, in order; `nil` if they have not been read.
    package func knownMembers(of relationship: EntityRelationship) -> [ObjectID]? {
        relationship.toManyIndex.flatMap(currentMembers)
    }

    /// Returns the members of a to-many relationship; `nil` if the stored ones have not been read.
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

    /// Whether unsaved changes change the destinations of a relationship.
    func hasLinkChanges(_ relationship: EntityRelationship) -> Bool {
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

/// Observes one record for its face.
package protocol RecordObserver: AnyObject {
    /// Whether an observer waits for a notification at present.
    var isAwaited: Bool { get }
    /// A relationship (with `nil`: anything) is about to change without a call of its setter: by inverse upkeep,
    /// rollback or merge.
    func willChange(_ record: Record, relationship: EntityRelationship?)
    func didChange(_ record: Record, relationship: EntityRelationship?)
}
