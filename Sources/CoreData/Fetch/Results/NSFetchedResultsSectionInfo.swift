/// A run of results that have the same section name.
public protocol NSFetchedResultsSectionInfo {
    /// Empty where results are not divided into sections.
    var name: String { get }
    /// What stands for the section in an index beside a table.
    var indexTitle: String? { get }
    var numberOfObjects: Int { get }
    /// The results, in order.
    var objects: [Any]? { get }
}
