/// Functions that triggers of Apple's call, which every connection has.
enum DerivationFunctions {
    /// Told of new values of rows that were there, and of new rows. They mean something in Apple's process only; without
    /// them every write to a table with such triggers fails.
    static let updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    static let inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
    /// The time, in seconds since the beginning of 2001.
    static let now = "NSCoreDataNow"
}
