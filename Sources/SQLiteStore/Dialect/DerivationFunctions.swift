/// Functions that Apple's triggers call, and that every connection therefore has.
enum DerivationFunctions {
    /// Called with new values of existing rows, and of new rows. They only have an effect in Apple's process, but without
    /// them every write to a table with such triggers fails.
    static let updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    static let inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
    /// Returns the time, in seconds since the beginning of 2001.
    static let now = "NSCoreDataNow"
}
