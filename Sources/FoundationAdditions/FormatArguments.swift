import Foundation

#if !canImport(Darwin)

/// A value that programs cast to `CVarArg` to pass it to `NSPredicate(format:_:)`, although it is neither a number nor
/// a text.
///
/// Predicates use the value itself. C formatting functions use its description, for `%@`.
public protocol FormatArgumentValue: _CVarArgObject {}

extension FormatArgumentValue {
    public var _cVarArgObject: any CVarArg { NSString(string: String(describing: self)) }

    /// Unused: callers use the encoding of `_cVarArgObject`. The null pointer prints as "(null)".
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
