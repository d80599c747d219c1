import Foundation

/// A property with a value of its own.
nonisolated open class NSAttributeDescription: NSPropertyDescription {
    private var storedValueClassName: String?

    /// The kind of value.
    open var attributeType = NSAttributeType.undefinedAttributeType {
        didSet { if refuses("attributeType") { attributeType = oldValue } }
    }

    /// The value of new objects, and of old ones when the attribute is added. Kept as it is, not copied.
    open var defaultValue: Any? { didSet { if refuses("defaultValue") { defaultValue = oldValue } } }

    /// The registered transformer of a transformable attribute; without one, values are archived.
    open var valueTransformerName: String? {
        didSet { if refuses("valueTransformerName") { valueTransformerName = oldValue } }
    }

    /// Whether the store may keep large values in files beside it.
    open var allowsExternalBinaryDataStorage = false {
        didSet { if refuses("allowsExternalBinaryDataStorage") { allowsExternalBinaryDataStorage = oldValue } }
    }

    /// Whether the history keeps the value of a deleted object.
    open var preservesValueInHistoryOnDeletion = false {
        didSet { if refuses("preservesValueInHistoryOnDeletion") { preservesValueInHistoryOnDeletion = oldValue } }
    }

    /// Kept as part of the model; there is no cloud here.
    open var allowsCloudEncryption = false {
        didSet { if refuses("allowsCloudEncryption") { allowsCloudEncryption = oldValue } }
    }

    /// The kind of value, under short names.
    public var type: AttributeType {
        get { AttributeType(attributeType) }
        set { attributeType = newValue.attributeType }
    }

    /// The class of the values; the type's own, unless set.
    open var attributeValueClassName: String? {
        get { storedValueClassName ?? attributeType.valueClassName }
        set { if !refuses("attributeValueClassName") { storedValueClassName = newValue } }
    }

    override func emptyCopy() -> NSPropertyDescription { NSAttributeDescription() }

    override func take(from other: NSPropertyDescription) {
        super.take(from: other)
        guard let other = other as? NSAttributeDescription else { return }
        attributeType = other.attributeType
        defaultValue = other.defaultValue
        valueTransformerName = other.valueTransformerName
        allowsExternalBinaryDataStorage = other.allowsExternalBinaryDataStorage
        preservesValueInHistoryOnDeletion = other.preservesValueInHistoryOnDeletion
        allowsCloudEncryption = other.allowsCloudEncryption
        storedValueClassName = other.storedValueClassName
    }

    override func hasContent(of other: NSPropertyDescription) -> Bool {
        guard super.hasContent(of: other), let other = other as? NSAttributeDescription else { return false }
        return attributeType == other.attributeType && ModelContent.isSame(defaultValue, other.defaultValue)
            && valueTransformerName == other.valueTransformerName
            && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
            && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
            && allowsCloudEncryption == other.allowsCloudEncryption
            && attributeValueClassName == other.attributeValueClassName
    }
}
