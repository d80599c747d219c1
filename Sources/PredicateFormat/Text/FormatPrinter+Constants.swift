import Foundation
import ObjectGraph

/// Prints constants. Truth values are 1 and 0. A constant without a literal is written as a cast of its text.
extension FormatPrinter {
    mutating func print(_ constant: FormatConstant) {
        if purpose == .archive, printExactly(constant) { return }
        switch constant {
        case .null: write("nil")
        case .boolean(let truth): write(truth ? "1" : "0")
        case .integer(let integer): write(String(integer))
        case .real(let real): write(Self.text(of: real))
        case .decimal(let decimal): write(decimal.description)
        case .text(let text): write(Self.quoted(text))
        case .date(let seconds): write("CAST(\(Self.seconds(seconds)), \"NSDate\")")
        case .bytes(let data): cast(data.base64EncodedString(), "NSData")
        case .uuid(let uuid): cast(uuid.uuidString, "NSUUID")
        case .url(let text): cast(text, "NSURL")
        case .reference(let id): cast(id.uriText, "NSManagedObjectID")
        case .list(let members):
            write("{")
            for (index, member) in members.enumerated() {
                if index > 0 { write(", ") }
                print(member)
            }
            write("}")
        case .object(let object): print(object)
        }
    }

    /// Prints constants whose usual text would be parsed as another type, or not at all.
    /// - Returns: Whether the constant is one of those.
    private mutating func printExactly(_ constant: FormatConstant) -> Bool {
        switch constant {
        case .boolean(let truth): write(truth ? "YES" : "NO")
        case .real(let real) where real.isFinite: write("\(real)")
        case .real(let real): write(.real(real))
        case .decimal(let decimal): write(.decimal(decimal))
        case .date(let seconds) where !seconds.isFinite: write(.date(seconds))
        default: return false
        }
        return true
    }

    private mutating func print(_ object: FormatObject) {
        if let id = (object.base as? any ObjectIDRepresentable)?.graphObjectID {
            print(.reference(id))
        } else if let name = (object.base as? any EntityRepresentable)?.graphEntityName {
            print(.text(name))
        } else {
            // A managed object without a context has no identifier, and its description would reveal its values in errors.
            let isManaged = object.base is any ObjectIDRepresentable
            write(isManaged ? "an object in no context" : String(describing: object.base))
        }
    }

    private mutating func cast(_ text: String, _ type: String) {
        write("CAST(\(Self.quoted(text)), \"\(type)\")")
    }

    /// Writes a whole number without a decimal point, like `NSNumber`.
    private static func text(of real: Double) -> String {
        // Negative zero is written as zero, because integers have no negative zero.
        let text = real == 0 ? "0" : "\(real)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Writes six decimal places, or as many as the date needs.
    private static func seconds(_ seconds: Double) -> String {
        let text = String(format: "%.6f", seconds)
        return Double(text) == seconds ? text : "\(seconds)"
    }

    private static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        quoted.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case 0x0A: quoted += "\\n".utf8
            case 0x0D: quoted += "\\r".utf8
            case 0x09: quoted += "\\t".utf8
            default: quoted.append(byte)
            }
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }
}

extension FormatConstant {
    /// Whether the constant is printed as a bare number, after which no dot is allowed.
    var isPrintedNumber: Bool {
        switch self {
        case .boolean, .integer, .real, .decimal: true
        default: false
        }
    }
}
