import Foundation

/// The objects of an `NSKeyedArchiver` property list, looked up by reference. Nothing is instantiated: an object is its
/// class name and its fields, so unknown classes cause no error.
struct KeyedArchive: Sendable {
    /// The placeholder for a null object.
    static let nothing = PropertyList.string("$null")

    private let objects: [PropertyList]
    private let top: [String: PropertyList]

    /// - Returns: `nil` if the property list is not a keyed archive.
    init?(_ propertyList: PropertyList) {
        guard let content = propertyList.dictionaryValue, let objects = content["$objects"]?.arrayValue,
            let top = content["$top"]?.dictionaryValue
        else { return nil }
        self.objects = objects
        self.top = top
    }

    /// The object archived as `root`.
    var root: ArchivedObject? { object(rootReference) }

    var rootReference: PropertyList? { top["root"] }

    /// - Parameter allowance: as for `PropertyList(binary:allowance:)`.
    init(_ data: Data, allowance: Int) throws(ColumnArchiveError) {
        let propertyList: PropertyList
        do throws(PropertyListError) {
            propertyList = try PropertyList(binary: data, allowance: allowance)
        } catch {
            throw .unreadable(error)
        }
        guard let archive = KeyedArchive(propertyList) else { throw .notAnArchive }
        self = archive
    }

    /// Returns the value itself, or the value that it refers to; `nil` for the null object and for invalid references.
    func resolve(_ value: PropertyList?) -> PropertyList? {
        guard case .uid(let number) = value else { return value }
        guard number != 0, let index = Int(exactly: number), objects.indices.contains(index) else { return nil }
        let found = objects[index]
        if case .uid = found { return nil }
        return found
    }

    func object(_ value: PropertyList?) -> ArchivedObject? {
        guard let fields = resolve(value)?.dictionaryValue, let classReference = fields["$class"],
            let name = resolve(classReference)?.dictionaryValue?["$classname"]?.stringValue
        else { return nil }
        return ArchivedObject(archive: self, className: name, fields: fields)
    }

    /// Returns a text, plain or as an archived (mutable) string object.
    func string(_ value: PropertyList?) -> String? {
        let found = resolve(value)
        if let text = found?.stringValue { return text }
        guard let object = object(found) else { return nil }
        return resolve(object.fields["NS.string"])?.stringValue
            ?? resolve(object.fields["NS.bytes"])?.dataValue.flatMap { String(data: $0, encoding: .utf8) }
    }

    /// Returns the elements of an archived array or set, unresolved.
    func elements(_ value: PropertyList?) -> [PropertyList]? {
        if let plain = resolve(value)?.arrayValue { return plain }
        return object(value)?.fields["NS.objects"].flatMap { resolve($0)?.arrayValue }
    }

    /// Returns the keys and values of an archived dictionary, unresolved. Dictionaries with a fixed set of keys store the
    /// keys separately.
    func entries(_ value: PropertyList?) -> [(key: PropertyList, value: PropertyList)]? {
        guard let object = object(value) else { return nil }
        if let keys = elements(object.fields["NS.keys"]), let values = object.fields["NS.objects"]?.arrayValue {
            return zip(keys, values).map { (key: $0, value: $1) }
        }
        guard let mapping = object.object("searchMapping"), let keys = mapping.elements("keys"),
            let values = object.elements("values")
        else { return nil }
        return zip(keys, values).map { (key: $0, value: $1) }
    }
}

/// One object of an archive.
struct ArchivedObject: Sendable {
    let archive: KeyedArchive
    let className: String
    let fields: [String: PropertyList]

    func value(_ key: String) -> PropertyList? { archive.resolve(fields[key]) }
    func object(_ key: String) -> ArchivedObject? { archive.object(fields[key]) }
    func string(_ key: String) -> String? { archive.string(fields[key]) }
    func elements(_ key: String) -> [PropertyList]? { archive.elements(fields[key]) }
    func objects(_ key: String) -> [ArchivedObject] { (elements(key) ?? []).compactMap { archive.object($0) } }
    func entries(_ key: String) -> [(key: PropertyList, value: PropertyList)] { archive.entries(fields[key]) ?? [] }

    func integer(_ key: String) -> Int64? { value(key)?.integerValue }

    /// Returns a Boolean; archives contain Booleans only if they are true.
    func flag(_ key: String) -> Bool { integer(key).map { $0 != 0 } ?? false }
}
