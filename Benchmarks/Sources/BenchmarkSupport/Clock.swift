import Foundation
import HandWritten

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Time and memory of one piece of work.
public struct Cost: Codable, Sendable {
    /// Wall time, in seconds.
    public var seconds: Double
    public var userSeconds: Double
    public var systemSeconds: Double
    /// Resident memory when the clock started and when it stopped, and the maximum in between, in KiB. Zero if the system does not
    /// provide it.
    public var startKB: Int
    public var endKB: Int
    public var peakKB: Int
    /// Memory that the work allocated and did not free. Zero if the system does not provide it.
    public var heldBytes: Int

    /// Processor time of the work, in seconds. Unlike wall time, it hardly depends on the machine's other load.
    public var processorSeconds: Double { userSeconds + systemSeconds }

    /// Runs the work with the clock running. The result of the work is alive when the clock stops.
    public static func measure<Result>(_ work: () throws -> Result) rethrows -> (Result, Cost) {
        ProcessMemory.forgetPeak()
        let allocated = hw_allocated_bytes()
        let start = ProcessMemory.residentKB
        let usage = ProcessUsage.now
        let clock = ContinuousClock.now
        let result = try work()
        let elapsed = ContinuousClock.now - clock
        let used = ProcessUsage.now
        let cost = Cost(
            seconds: elapsed / .seconds(1), userSeconds: used.user - usage.user,
            systemSeconds: used.system - usage.system, startKB: start, endKB: ProcessMemory.residentKB,
            peakKB: ProcessMemory.peakKB, heldBytes: Int(hw_allocated_bytes() - allocated))
        return (result, cost)
    }
}

/// Processor time of this process, in seconds.
struct ProcessUsage {
    let user: Double
    let system: Double

    static var now: ProcessUsage {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return ProcessUsage(user: seconds(usage.ru_utime), system: seconds(usage.ru_stime))
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
}

/// Resident memory of this process, as reported by Linux.
public enum ProcessMemory {
    public static var residentKB: Int { status("VmRSS:") }
    public static var peakKB: Int { status("VmHWM:") }

    /// Resets the peak to the current resident memory.
    public static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    private static func status(_ key: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(key) })
        else { return 0 }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
