import Foundation
import ModelText
import ObjectGraph
import TestSupport
import Testing

@Suite("Packages of model versions")
struct DocumentPackageTests {
    private func document(_ entity: String) -> DocumentModel {
        var document = DocumentModel()
        document.entities = [DocumentEntity(entity)]
        return document
    }

    private func choose(_ name: String, in package: URL) throws {
        let plist = try PropertyListSerialization.data(
            fromPropertyList: ["_XCCurrentVersionName": name], format: .xml, options: 0)
        try plist.write(to: package.appendingPathComponent(".xccurrentversion"))
    }

    @Test("The version that the package names is the current one")
    func versions() throws {
        try withTemporaryFolder { folder in
            let package = folder.appendingPathComponent("Zoo.xcdatamodeld")
            try document("Old").write(to: package.appendingPathComponent("Zoo.xcdatamodel"))
            try document("New").write(to: package.appendingPathComponent("Zoo 2.xcdatamodel"))
            try choose("Zoo 2.xcdatamodel", in: package)
            let read = try DocumentPackage(contentsOf: package)
            #expect(read.versions.keys.sorted() == ["Zoo", "Zoo 2"])
            #expect(read.currentModel?.entities.map(\.name) == ["New"])
            try choose("Zoo 3.xcdatamodel", in: package)
            #expect(throws: DocumentError.missingVersion("Zoo 3")) { try DocumentPackage(contentsOf: package) }
        }
    }

    @Test("A package of one version need not name it; an empty package is refused")
    func lone() throws {
        try withTemporaryFolder { folder in
            let package = folder.appendingPathComponent("Zoo.xcdatamodeld")
            try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
            #expect(throws: DocumentError.noVersions) { try DocumentPackage(contentsOf: package) }
            let version = package.appendingPathComponent("Zoo.xcdatamodel")
            try document("Only").write(to: version)
            #expect(try DocumentPackage(contentsOf: package).currentVersion == "Zoo")
            #expect(try DocumentPackage(contentsOf: version).currentModel?.entities.map(\.name) == ["Only"])
            let missing = folder.appendingPathComponent("None.xcdatamodeld")
            #expect(throws: DocumentError.unreadable("None.xcdatamodeld")) {
                try DocumentPackage(contentsOf: missing)
            }
        }
    }
}
