import Foundation

/// A description of an attribute: a property whose value is stored in the object's own row.
nonisolated open class NSAttributeDescription: NSPropertyDescription {
    private var storedValueClassName: String?

    /// The type of the values.
    open var attributeType = NSAttributeType.undefinedAttributeType {
        didSet { if refuses("attributeType") { attributeType = oldValue } }
    }

    /// The value of new objects, and of existing rows when the attribute is added by a migration. It is not copied.
    open var defaultValue: Any? { didSet { if refuses("defaultValue") { defaultValue = oldValue } } }

    /// The name of the registered value transformer of a transformable attribute; without one, values are archived.
    open var valueTransformerName: String? {
        didSet { if refuses("valueTransformerName") { valueTransformerName = oldValue } }
    }

    /// A Boolean value that states whether the store may keep large values in files beside it: `false`, unless set.
    open var allowsExternalBinaryDataStorage = false {
        didSet { if refuses("allowsExternalBinaryDataStorage") { allowsExternalBinaryDataStorage = oldValue } }
    }

    /// A Boolean value that states whether the history keeps the value of a deleted object: `false`, unless set.
    open var preservesValueInHistoryOnDeletion = false {
        didSet { if refuses("preservesValueInHistoryOnDeletion") { preservesValueInHistoryOnDeletion = oldValue } }
    }

    /// A Boolean value that is kept as part of the model and has no effect here.
    open var allowsCloudEncryption = false {
        didSet { if refuses("allowsCloudEncryption") { allowsCloudEncryption = oldValue } }
    }

    /// The type of the values, as a value with short names.
    public var type: AttributeType {
        get { AttributeType(attributeType) }
        set { attributeType = newValue.attributeType }
    }

    /// The name of the class of the values; that of the type, unless set.
    open var attributeValueClassName: String? {
        get { storedValueClassName ?? attributeType.valueClassName }
        set { if !refuses("attributeValueClassName") { storedValueClassName = newValue } }
    }

    override func emptyCopy() -> NSPropertyDescription { NSAttributeDescription() }

    override func copyProperties(from other: NSPropertyDescription) {
        super.copyProperties(from: other)
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
