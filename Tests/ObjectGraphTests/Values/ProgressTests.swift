import Foundation
import Testing

@testable import ObjectGraph

@Suite("Totals of progress")
struct ProgressTests {
    @Test(
        "A total may become any other, also 0 or indeterminate", arguments: [-1, 0, 1, 10] as [Int64],
        [-1, 0, 1, 10] as [Int64])
    func totals(first: Int64, second: Int64) {
        let progress = Progress(totalUnitCount: first)
        progress.setTotal(second)
        #expect(progress.totalUnitCount == (second == 0 && first > 0 ? 1 : second))
    }

    @Test("A progress with nothing left to do finishes", arguments: [0, 10] as [Int64])
    func finished(expected: Int64) throws {
        let progress = Progress(totalUnitCount: expected)
        let meter = RowMeter(progress)
        meter.expect(0)
        try meter.count(0)
        meter.finish()
        #expect(progress.isFinished)
    }
}
