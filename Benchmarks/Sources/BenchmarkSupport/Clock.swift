import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Time and memory that one piece of work took.
public struct Cost: Codable, Sendable {
    /// Wall time, in seconds.
    public var seconds: Double
    public var userSeconds: Double
    public var systemSeconds: Double
    /// Resident memory when the clock started and when it stopped, and the most there was between, in KiB. Zero where
    /// the system does not tell.
    public var startKB: Int
    public var endKB: Int
    public var peakKB: Int

    /// Time that a processor spent on it, in seconds. Unlike wall time, it hardly depends on what else the machine does.
    public var processorSeconds: Double { userSeconds + systemSeconds }

    /// Runs the work with the clock on. What the work returns is alive when the clock stops.
    public static func measure<Result>(_ work: () throws -> Result) rethrows -> (Result, Cost) {
        ProcessMemory.forgetPeak()
        let start = ProcessMemory.residentKB
        let usage = ProcessUsage.now
        let clock = ContinuousClock.now
        let result = try work()
        let elapsed = ContinuousClock.now - clock
        let used = ProcessUsage.now
        let cost = Cost(
            seconds: elapsed / .seconds(1), userSeconds: used.user - usage.user,
            systemSeconds: used.system - usage.system, startKB: start, endKB: ProcessMemory.residentKB,
            peakKB: ProcessMemory.peakKB)
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

/// Resident memory of this process, as Linux tells it.
public enum ProcessMemory {
    public static var residentKB: Int { status("VmRSS:") }
    public static var peakKB: Int { status("VmHWM:") }

    /// Makes the peak begin anew at what is resident now.
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
