// Apple's module exports Foundation, too.
@_exported import Foundation
@_exported import FoundationAdditions
@_exported import StoreDeletion
// A declaration imported by name hides those of the same name in modules imported whole, so that files may import Foundation
// too.
@_exported import class FoundationPredicates.NSComparisonPredicate
@_exported import class FoundationPredicates.NSExpression
@_exported import func FoundationPredicates.NSSelectorFromString
@_exported import func FoundationPredicates.NSStringFromSelector
@_exported import struct FoundationPredicates.PredicateFormatError
@_exported import struct FoundationPredicates.Selector
