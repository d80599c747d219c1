/// A section of a controller's results: consecutive results with the same section name.
public protocol NSFetchedResultsSectionInfo {
    /// The name of the section; empty if results are not divided into sections.
    var name: String { get }
    /// The title of the section in an index beside a table.
    var indexTitle: String? { get }
    /// The number of results in the section.
    var numberOfObjects: Int { get }
    /// The results of the section, in order.
    var objects: [Any]? { get }
}
