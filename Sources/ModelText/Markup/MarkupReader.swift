import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

extension MarkupElement {
    /// Parses an XML text and returns its root element. Text between elements has no meaning in model files and is
    /// skipped by default.
    ///
    /// Nothing outside the text is read: documents with a type declaration, in which entities can be declared, are
    /// refused, as model files have none. So are encodings other than UTF-8, which could hide a declaration.
    /// - Throws: `MarkupError`.
    package init(xml data: Data, keepingText: Bool = false) throws(MarkupError) {
        try MarkupReader.checkForm(data)
        self = try MarkupReader.read(data, keepingText: keepingText)
    }
}

/// Why a text is not the XML of a model file.
package enum MarkupError: Error, Hashable {
    case tooLarge
    case notUTF8
    case declaresTypes
    case malformed(line: Int)
    case tooDeep(line: Int)
    case empty
}

extension MarkupError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge: "The XML is larger than any real model."
        case .notUTF8: "The XML is not UTF-8; save it in that encoding."
        case .declaresTypes: "The XML has a document type declaration, which no model file has; remove it."
        case .malformed(let line): "The XML is malformed in line \(line)."
        case .tooDeep(let line): "The XML is nested too deeply in line \(line)."
        case .empty: "The XML has no element."
        }
    }
}

/// Collects the parser's events. Used only within one call of `read`.
private final class MarkupReader: NSObject, XMLParserDelegate {
    private static let byteLimit = 64 << 20
    private static let elementLimit = 1_000_000
    private static let depthLimit = 64

    private var open: [MarkupElement] = []
    private var root: MarkupElement?
    private var elementCount = 0
    private var error: MarkupError?
    private let keepsText: Bool

    private init(keepingText: Bool) { keepsText = keepingText }

    static func checkForm(_ data: Data) throws(MarkupError) {
        guard data.count <= byteLimit else { throw .tooLarge }
        guard !data.contains(0), let text = String(validating: data, as: UTF8.self) else { throw .notUTF8 }
        let head = text.prefix(200)
        if let declaration = head.range(of: "encoding=") {
            let name = head[declaration.upperBound...].dropFirst().prefix { $0 != "\"" && $0 != "'" }
            guard ["utf-8", "utf8", "us-ascii"].contains(name.lowercased()) else { throw .notUTF8 }
        }
        guard !text.contains("<!DOCTYPE"), !text.contains("<!ENTITY") else { throw .declaresTypes }
    }

    static func read(_ data: Data, keepingText: Bool) throws(MarkupError) -> MarkupElement {
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        let reader = MarkupReader(keepingText: keepingText)
        parser.delegate = reader
        let isWhole = parser.parse()
        if let error = reader.error { throw error }
        guard isWhole else { throw .malformed(line: max(1, parser.lineNumber)) }
        guard let root = reader.root else { throw .empty }
        return root
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elementCount += 1
        if open.count >= Self.depthLimit { fail(.tooDeep(line: parser.lineNumber), parser) }
        if elementCount > Self.elementLimit { fail(.tooLarge, parser) }
        guard error == nil else { return }
        open.append(MarkupElement(elementName, attributes, line: parser.lineNumber))
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard error == nil, var closed = open.popLast() else { return }
        if !closed.children.isEmpty { closed.text = "" }
        if open.isEmpty {
            root = closed
        } else {
            open[open.count - 1].children.append(closed)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard keepsText, error == nil, !open.isEmpty else { return }
        open[open.count - 1].text += string
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        if error == nil { error = .malformed(line: max(1, parser.lineNumber)) }
    }

    private func fail(_ failure: MarkupError, _ parser: XMLParser) {
        if error == nil { error = failure }
        parser.abortParsing()
    }
}
