#if !canImport(UIKit) && !canImport(AppKit)
import Foundation

/// Places in a table: a section, and a row in it. Elsewhere these come with the frameworks that show tables.
extension IndexPath {
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The same as `row`, as grids call it.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
#endif
