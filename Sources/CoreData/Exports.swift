// As Apple's module does. It also lets the types that this module has in place of Foundation's win in files that import
// both: a declaration hides those of the modules that its own re-exports.
@_exported import Foundation
@_exported import FoundationAdditions
