#if !canImport(UIKit) && !canImport(AppKit)
import Foundation

/// Positions in a table: a section, and a row in it. On Apple's systems UIKit and AppKit declare these.
extension IndexPath {
    /// Creates an index path of a row in a section of a table.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// Creates an index path of an item in a section of a grid.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The index of the section.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The index of the row in its section.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The index of the item in its section.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
#endif
