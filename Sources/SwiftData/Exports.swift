// What generated code and model files need beside this module: `import SwiftData` is to be enough.
@_exported import Foundation
@_exported import FoundationAdditions
@_exported import Observation
@_exported import StoreDeletion
