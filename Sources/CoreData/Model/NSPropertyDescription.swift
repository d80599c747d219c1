import Foundation

/// One property of an entity; the kinds of properties are subclasses.
nonisolated open class NSPropertyDescription: NSObject, NSCopying, ModelPart {
    /// The entity that declares this property; `nil` before it has one.
    package internal(set) weak var owner: NSEntityDescription?
    final var isFrozen = false
    private var storedRenamingIdentifier: String?

    /// Names are unique within an entity and what it inherits.
    open var name = "" { didSet { if refuses("name") { name = oldValue } } }

    /// Whether an object may be saved without a value.
    open var isOptional = true { didSet { if refuses("isOptional") { isOptional = oldValue } } }

    /// A transient property is tracked, but never stored.
    open var isTransient = false { didSet { if refuses("isTransient") { isTransient = oldValue } } }

    /// Notes of the model's author; they mean nothing to the store.
    open var userInfo: [AnyHashable: Any]? { didSet { if refuses("userInfo") { userInfo = oldValue } } }

    /// A text that makes the version hash another one, for changes that it would not notice by itself.
    open var versionHashModifier: String? {
        didSet { if refuses("versionHashModifier") { versionHashModifier = oldValue } }
    }

    /// Kept as part of the model; there is nothing to index for here.
    open var isIndexedBySpotlight = false {
        didSet { if refuses("isIndexedBySpotlight") { isIndexedBySpotlight = oldValue } }
    }

    /// Kept as part of the model only.
    @available(*, deprecated, message: "Declare an index with NSEntityDescription.indexes.")
    open var isIndexed: Bool {
        get { hasIndexMark }
        set { if !refuses("isIndexed") { hasIndexMark = newValue } }
    }

    /// Kept as part of the model only.
    @available(*, deprecated, message: "There are no external records.")
    open var isStoredInExternalRecord: Bool {
        get { hasExternalRecordMark }
        set { if !refuses("isStoredInExternalRecord") { hasExternalRecordMark = newValue } }
    }

    final var hasIndexMark = false
    final var hasExternalRecordMark = false

    /// What a value must pass before it is saved.
    open private(set) var validationPredicates: [NSPredicate] = []

    /// For each predicate, the error's code (a number) or message (a text).
    open private(set) var validationWarnings: [Any] = []

    public override init() {
        super.init()
    }

    /// The entity that has this property; an entity without anything before there is one. Of an inherited property it is
    /// the entity that declares it.
    open var entity: NSEntityDescription { owner ?? NSEntityDescription() }

    /// What the property was called in the version before, for migration; its name, unless set.
    open var renamingIdentifier: String? {
        get { storedRenamingIdentifier ?? (name.isEmpty ? nil : name) }
        set { if !refuses("renamingIdentifier") { storedRenamingIdentifier = newValue } }
    }

    /// The renaming identifier, where it says something.
    final package var formerName: String? {
        storedRenamingIdentifier.flatMap { $0.isEmpty || $0 == name ? nil : $0 }
    }

    /// 32 bytes that stand for everything about the property that decides how it is stored; none for properties that are
    /// not stored, or while the model cannot be compiled.
    open var versionHash: Data {
        owner?.versionHash(of: self) ?? Data()
    }

    /// - Parameter validationWarnings: one for each predicate, by position: an error code as a number, or a message. A
    ///   predicate without one fails with the general code.
    open func setValidationPredicates(_ validationPredicates: [NSPredicate]?, withValidationWarnings warnings: [Any]?) {
        guard !refuses("validationPredicates") else { return }
        self.validationPredicates = validationPredicates ?? []
        validationWarnings = warnings ?? []
    }

    /// A property that belongs to no entity, and may be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = emptyCopy()
        copy.take(from: self)
        return copy
    }

    /// A new description of the same kind.
    func emptyCopy() -> NSPropertyDescription { NSPropertyDescription() }

    /// Subclasses add what is theirs.
    func take(from other: NSPropertyDescription) {
        name = other.name
        isOptional = other.isOptional
        isTransient = other.isTransient
        userInfo = other.userInfo
        versionHashModifier = other.versionHashModifier
        isIndexedBySpotlight = other.isIndexedBySpotlight
        hasIndexMark = other.hasIndexMark
        hasExternalRecordMark = other.hasExternalRecordMark
        validationPredicates = other.validationPredicates
        validationWarnings = other.validationWarnings
        storedRenamingIdentifier = other.storedRenamingIdentifier
    }

    /// Properties of the same kind with the same content are equal, whichever entities have them.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return other === self || hasContent(of: other) && other.hasContent(of: self)
    }

    open override var hash: Int { name.hashValue }

    /// Whether the other one has all that this one has. Subclasses add what is theirs.
    func hasContent(of other: NSPropertyDescription) -> Bool {
        name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
            && ModelContent.isSame(userInfo, other.userInfo) && versionHashModifier == other.versionHashModifier
            && isIndexedBySpotlight == other.isIndexedBySpotlight && hasIndexMark == other.hasIndexMark
            && hasExternalRecordMark == other.hasExternalRecordMark
            && ModelContent.isSame(validationPredicates, other.validationPredicates)
            && ModelContent.isSame(validationWarnings, other.validationWarnings) && formerName == other.formerName
    }

    /// Subclasses freeze what they are made of.
    func freeze() {
        isFrozen = true
    }

    final var partName: String {
        "Property '\(owner?.name ?? "").\(name)'"
    }

    open override var description: String {
        "<\(type(of: self)): \(owner?.name ?? "").\(name)>"
    }
}
