extension MarkupElement {
    /// The XML text in Xcode's form: four spaces for each level, attributes in Xcode's order, then others by name.
    package var xml: String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        write(to: &text, level: 0)
        if text.last == "\n" { text.removeLast() }
        return text
    }

    private func write(to text: inout String, level: Int) {
        let indentation = String(repeating: "    ", count: level)
        text += indentation + "<" + name
        for key in attributeOrder {
            guard let value = attributes[key] else { continue }
            text += " \(key)=\"\(Self.escaped(value))\""
        }
        guard !children.isEmpty else {
            text += "/>\n"
            return
        }
        text += ">\n"
        for child in children { child.write(to: &text, level: level + 1) }
        text += indentation + "</\(name)>\n"
    }

    private var attributeOrder: [String] {
        let known = Self.order[name] ?? ["name"]
        return known + attributes.keys.filter { !known.contains($0) }.sorted()
    }

    /// Escapes line breaks and tabs, which parsers would otherwise return as spaces.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value.unicodeScalars {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n", "\r", "\t": text += "&#\(character.value);"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }

    private static let order = [
        "model": [
            "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
            "sourceLanguage",
            "usedWithCloudKit", "userDefinedModelVersionIdentifier",
        ],
        "entity": [
            "name", "representedClassName", "isAbstract", "parentEntity", "elementID", "versionHashModifier",
            "syncable",
            "codeGenerationType",
        ],
        "attribute": [
            "name", "optional", "transient", "attributeType", "minValueString", "maxValueString", "defaultValueString",
            "minDateTimeInterval", "maxDateTimeInterval", "defaultDateTimeInterval", "derived", "derivationExpression",
            "regularExpressionString", "usesScalarValueType", "allowsExternalBinaryDataStorage",
            "allowsCloudEncryption",
            "valueTransformerName", "customClassName", "spotlightIndexingEnabled", "preserveAfterDeletion", "elementID",
            "versionHashModifier",
        ],
        "relationship": [
            "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
            "destinationEntity", "inverseName", "inverseEntity", "elementID", "versionHashModifier",
        ],
        "fetchRequest": ["name", "entity", "predicateString"],
        "fetchIndexElement": ["property", "type", "order"],
        "entry": ["key", "value"],
        "element": ["name", "positionX", "positionY", "width", "height"],
    ]
}
