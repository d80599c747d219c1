import Foundation

#if !canImport(Darwin)

/// A value that may be cast to `CVarArg`, as programs do to hand it to `NSPredicate(format:_:)`, although it is neither a
/// number nor a text.
///
/// Predicates take the value as it is. A C function that formats text gets its description, for `%@`.
public protocol FormatArgumentValue: _CVarArgObject {}

extension FormatArgumentValue {
    public var _cVarArgObject: any CVarArg { NSString(string: String(describing: self)) }

    /// Not asked for: callers ask `_cVarArgObject` for its own. No pointer, which prints as "(null)".
    public var _cVarArgEncoding: [Int] { [0] }
}

extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}

extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension NSData: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension NSDictionary: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension NSNull: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension NSOrderedSet: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension NSSet: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension NSURL: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}
extension NSUUID: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgumentValue {}

#endif
