// Modules that generated code and model files need: `import SwiftData` alone makes them available.
@_exported import Foundation
@_exported import FoundationAdditions
@_exported import Observation
@_exported import StoreDeletion
