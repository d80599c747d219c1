import Foundation

/// A description of a property of an entity; the kinds of properties are subclasses.
nonisolated open class NSPropertyDescription: NSObject, NSCopying, ModelPart {
    /// The entity that declares this property; `nil` if it has none.
    package internal(set) weak var owner: NSEntityDescription?
    final var isFrozen = false
    private var storedRenamingIdentifier: String?

    /// The name of the property, unique within an entity and its superentities.
    open var name = "" { didSet { if refuses("name") { name = oldValue } } }

    /// A Boolean value that states whether an object may be saved without a value: `true`, unless set.
    open var isOptional = true { didSet { if refuses("isOptional") { isOptional = oldValue } } }

    /// A Boolean value that states whether the property is tracked but never stored: `false`, unless set.
    open var isTransient = false { didSet { if refuses("isTransient") { isTransient = oldValue } } }

    /// Information for the program's own use, which has no effect on stores.
    open var userInfo: [AnyHashable: Any]? { didSet { if refuses("userInfo") { userInfo = oldValue } } }

    /// A text that changes the version hash, for changes that the hash does not reflect by itself.
    open var versionHashModifier: String? {
        didSet { if refuses("versionHashModifier") { versionHashModifier = oldValue } }
    }

    /// A Boolean value that is kept as part of the model and has no effect here.
    open var isIndexedBySpotlight = false {
        didSet { if refuses("isIndexedBySpotlight") { isIndexedBySpotlight = oldValue } }
    }

    /// A Boolean value that is kept as part of the model and has no effect here.
    @available(*, deprecated, message: "Declare an index with NSEntityDescription.indexes.")
    open var isIndexed: Bool {
        get { hasIndexMark }
        set { if !refuses("isIndexed") { hasIndexMark = newValue } }
    }

    /// A Boolean value that is kept as part of the model and has no effect here.
    @available(*, deprecated, message: "There are no external records.")
    open var isStoredInExternalRecord: Bool {
        get { hasExternalRecordMark }
        set { if !refuses("isStoredInExternalRecord") { hasExternalRecordMark = newValue } }
    }

    final var hasIndexMark = false
    final var hasExternalRecordMark = false

    /// The predicates that a value must satisfy to be saved.
    open private(set) var validationPredicates: [NSPredicate] = []

    /// The error code (a number) or message (a text) for each validation predicate.
    open private(set) var validationWarnings: [Any] = []

    /// Creates a property without a name.
    public override init() {
        super.init()
    }

    /// The entity that declares this property, also of an inherited property; an empty description if it has none.
    open var entity: NSEntityDescription { owner ?? NSEntityDescription() }

    /// The name of the property in the former version of the model, for migration; its name, unless set.
    open var renamingIdentifier: String? {
        get { storedRenamingIdentifier ?? (name.isEmpty ? nil : name) }
        set { if !refuses("renamingIdentifier") { storedRenamingIdentifier = newValue } }
    }

    /// The renaming identifier, if it differs from the name.
    final package var formerName: String? {
        storedRenamingIdentifier.flatMap { $0.isEmpty || $0 == name ? nil : $0 }
    }

    /// A hash of 32 bytes of everything about the property that determines how it is stored; empty for properties that are not
    /// stored, and if the model is not valid.
    open var versionHash: Data {
        owner?.versionHash(of: self) ?? Data()
    }

    /// Sets the predicates that a value must satisfy to be saved.
    /// - Parameters:
    ///   - validationPredicates: the predicates.
    ///   - warnings: one for each predicate, by position: an error code as a number, or a message. A predicate without one
    ///     fails with 1550.
    open func setValidationPredicates(_ validationPredicates: [NSPredicate]?, withValidationWarnings warnings: [Any]?) {
        guard !refuses("validationPredicates") else { return }
        self.validationPredicates = validationPredicates ?? []
        validationWarnings = warnings ?? []
    }

    /// Returns a copy that belongs to no entity and can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = emptyCopy()
        copy.copyProperties(from: self)
        return copy
    }

    /// A new description of the same kind.
    func emptyCopy() -> NSPropertyDescription { NSPropertyDescription() }

    /// Subclasses copy their own properties, too.
    func copyProperties(from other: NSPropertyDescription) {
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

    /// Returns whether another property has the same kind and contents, whichever entities the two belong to.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return other === self || hasContent(of: other) && other.hasContent(of: self)
    }

    /// A hash of the name.
    open override var hash: Int { name.hashValue }

    /// Whether the contents of this description equal those of another. Subclasses compare their own properties, too.
    func hasContent(of other: NSPropertyDescription) -> Bool {
        name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
            && ModelContent.isSame(userInfo, other.userInfo) && versionHashModifier == other.versionHashModifier
            && isIndexedBySpotlight == other.isIndexedBySpotlight && hasIndexMark == other.hasIndexMark
            && hasExternalRecordMark == other.hasExternalRecordMark
            && ModelContent.isSame(validationPredicates, other.validationPredicates)
            && ModelContent.isSame(validationWarnings, other.validationWarnings) && formerName == other.formerName
    }

    /// Subclasses freeze their parts.
    func freeze() {
        isFrozen = true
    }

    final var partName: String {
        "Property '\(owner?.name ?? "").\(name)'"
    }

    /// A text with the names of the entity and property.
    open override var description: String {
        "<\(type(of: self)): \(owner?.name ?? "").\(name)>"
    }
}
