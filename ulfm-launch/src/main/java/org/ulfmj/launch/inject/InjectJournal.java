package org.ulfmj.launch.inject;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.launch.command.Expectations;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.inject.FaultAction;
import org.ulfmj.runtime.inject.FaultMarks;
import org.ulfmj.runtime.inject.PlannedFault;
import org.ulfmj.runtime.options.Durations;

/**
 * Notes what came of a fault plan: when each fault happened, and when survivors reported that they knew of a failure or
 * had recovered from it. All times are those of the launcher's clock: a time of a survivor is when its message arrived.
 * Used by the launcher's main thread.
 */
final class InjectJournal {
    private static final double MS_NS = 1e6;

    /** A fault that happened. */
    private record Happened(PlannedFault fault, ProcessId process, long atNs, String outcome) {}

    private final long budgetNs;
    private final PrintWriter log;
    private final List<Happened> happened = new ArrayList<>();
    private final List<PlannedFault> never = new ArrayList<>();
    private final Map<Integer, Long> diedNs = new TreeMap<>();
    /**
     * When a survivor knew of a failure, by the slot that failed and then by the rank of the survivor. The next map has
     * the times of recovery in the same form.
     */
    private final Map<Integer, Map<Integer, Long>> knownNs = new TreeMap<>();

    private final Map<Integer, Map<Integer, Long>> recoveredNs = new TreeMap<>();

    /**
     * @param logFile null for none
     * @param budgetNs a fault of a link that lasts no longer than this need not be noticed by any rank
     * @throws IOException if the log cannot be written
     */
    InjectJournal(String logFile, long budgetNs) throws IOException {
        this.budgetNs = budgetNs;
        this.log = logFile == null ? null : new PrintWriter(Files.newBufferedWriter(Path.of(logFile)));
    }

    void happened(PlannedFault fault, ProcessId process, long startNs, long nowNs, String outcome) {
        happened.add(new Happened(fault, process, nowNs, outcome));
        line(
                nowNs - startNs,
                fault,
                process == null ? "" : process.toString(),
                Long.toString(nowNs - startNs),
                outcome);
    }

    void never(PlannedFault fault) {
        never.add(fault);
        line(-1, fault, "", "null", "never came to pass");
    }

    private void line(long tNs, PlannedFault fault, String target, String actual, String outcome) {
        if (log == null) {
            return;
        }
        log.println("{\"tNanos\":" + tNs + ",\"rule\":\"" + fault + "\",\"number\":" + fault.number()
                + ",\"target\":\"" + target + "\",\"planned\":\"" + fault.moment() + "\",\"actual\":" + actual
                + ",\"outcome\":\"" + outcome + "\"}");
        log.flush();
    }

    void died(ProcessId process, long nowNs) {
        if (process.incarnation() == 0) {
            diedNs.putIfAbsent(process.slot(), nowNs);
        }
    }

    /**
     * A rank reports that it knows of a failure, or that it has recovered from it; the first report of each counts.
     *
     * @param mark tells which of the two, and the slot that failed
     */
    void marked(ProcessId by, int mark, long nowNs) {
        Map<Integer, Map<Integer, Long>> all = FaultMarks.isFailed(mark) ? knownNs : recoveredNs;
        all.computeIfAbsent(FaultMarks.slot(mark), slot -> new TreeMap<>()).putIfAbsent(by.slot(), nowNs);
    }

    void close() {
        if (log != null) {
            log.close();
        }
    }

    // ---- the report

    /**
     * Returns the lines of the report: one, with a verdict, for each rule of the fault plan that happened, and one for
     * each that never came to pass.
     */
    List<String> report(SortedSet<Integer> dead) {
        List<String> lines = new ArrayList<>();
        for (Happened each : firsts()) {
            lines.add(each.fault() + ": " + verdict(each, dead));
        }
        for (PlannedFault fault : never) {
            lines.add(fault + ": never came to pass");
        }
        return lines;
    }

    /** The first time of each rule. */
    private List<Happened> firsts() {
        Map<Integer, Happened> first = new TreeMap<>();
        for (Happened each : happened) {
            first.putIfAbsent(each.fault().number(), each);
        }
        return List.copyOf(first.values());
    }

    private String verdict(Happened each, SortedSet<Integer> dead) {
        PlannedFault fault = each.fault();
        if (fault.action() == FaultAction.ABORT) {
            return "the job was aborted";
        }
        if (fault.rank() != PlannedFault.NO_RANK) {
            if (!dead.contains(fault.rank())) {
                return "rank lives";
            }
            return isReason(fault) ? ofDeath(fault.rank(), each.atNs()) : "rank failed by another fault";
        }
        SortedSet<Integer> lost = new TreeSet<>(dead);
        lost.removeIf(slot -> fault.link() != null && !fault.link().names(slot));
        lost.removeIf(slot -> fault.hosts() != null && !fault.hosts().names(slot));
        return lost.isEmpty() ? "no rank failed" : "ranks that failed: " + lost;
    }

    private String ofDeath(int slot, long atNs) {
        Map<Integer, Long> known = knownNs.getOrDefault(slot, Map.of());
        if (known.isEmpty()) {
            return "rank failed; no survivor has noticed";
        }
        long firstNs = known.values().stream().min(Long::compare).orElseThrow() - atNs;
        long lastNs = known.values().stream().max(Long::compare).orElseThrow() - atNs;
        Map<Integer, Long> recovered = recoveredNs.getOrDefault(slot, Map.of());
        String recovery = recovered.isEmpty()
                ? "no survivor has agreed since"
                : "recovered by " + recovered.size() + " after "
                        + ms(recovered.values().stream().max(Long::compare).orElseThrow() - atNs);
        return "rank failed; detected by " + known.size() + " after " + ms(firstNs) + " to " + ms(lastNs) + "; "
                + recovery;
    }

    private static String ms(long durationNs) {
        return String.format(Locale.ROOT, "%.1f ms", durationNs / MS_NS);
    }

    // ---- what was expected

    /** Returns lines that say which expectations the job did not meet; none if it met all. */
    List<String> differences(Expectations expected, int exitCode, SortedSet<Integer> dead) {
        List<String> lines = new ArrayList<>();
        if (expected.exitCode() != null && expected.exitCode() != exitCode) {
            lines.add("expected exit=" + expected.exitCode() + ", got exit=" + exitCode);
        }
        if (expected.dead() != null && !expected.dead().equals(dead)) {
            lines.add("expected dead=" + set(expected.dead()) + ", got dead=" + set(dead));
        }
        if (expected.detectNs() > 0) {
            addLate(lines, "detect", knownNs, expected.detectNs(), dead);
        }
        if (expected.recoverNs() > 0) {
            addLate(lines, "recover", recoveredNs, expected.recoverNs(), dead);
        }
        SortedSet<Integer> untouched = new TreeSet<>(dead);
        untouched.removeIf(this::isHit);
        if (expected.isNoneFalse() && !untouched.isEmpty()) {
            lines.add("expected no-false-positive, got dead=" + set(untouched) + ", for which no fault was planned");
        }
        return lines;
    }

    private void addLate(
            List<String> lines,
            String word,
            Map<Integer, Map<Integer, Long>> timesNs,
            long limitNs,
            SortedSet<Integer> dead) {
        for (int slot : dead) {
            long sinceNs = since(slot);
            Map<Integer, Long> ofSlot = timesNs.getOrDefault(slot, Map.of());
            long lastNs = ofSlot.values().stream().max(Long::compare).orElse(Long.MAX_VALUE);
            if (lastNs == Long.MAX_VALUE) {
                lines.add("expected " + word + "<" + Durations.text(limitNs) + ", got never for rank " + slot);
            } else if (lastNs - sinceNs >= limitNs) {
                lines.add("expected " + word + "<" + Durations.text(limitNs) + ", got " + ms(lastNs - sinceNs)
                        + " for rank " + slot);
            }
        }
    }

    /**
     * From when the time until the failure of a rank was detected, or recovered from, counts: from the last fault of
     * this rank that was reason enough for it to fail, or else from the death of its first process.
     */
    private long since(int slot) {
        long sinceNs = diedNs.getOrDefault(slot, 0L);
        for (Happened each : happened) {
            if (each.fault().rank() == slot && isReason(each.fault())) {
                sinceNs = each.atNs();
            }
        }
        return sinceNs;
    }

    /** Whether a fault that has happened explains why a rank failed. */
    private boolean isHit(int slot) {
        for (Happened each : happened) {
            PlannedFault fault = each.fault();
            boolean isMeant = fault.rank() == slot
                    || fault.link() != null && fault.link().names(slot)
                    || fault.hosts() != null && fault.hosts().names(slot);
            if (isMeant && isReason(fault) || fault.action() == FaultAction.ABORT) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a fault may make a rank fail: it ends the process that it hits, or may silence a rank for longer than a
     * link's time budget.
     */
    private boolean isReason(PlannedFault fault) {
        boolean isSilence =
                switch (fault.action()) {
                    case STOP, PAUSE, BLACKHOLE, REFUSE, THROTTLE, PARTITION -> true;
                    default -> false;
                };
        boolean isLong = fault.durationNs() == 0 || fault.durationNs() > budgetNs;
        return fault.action().isEnd() || isSilence && isLong;
    }

    private static String set(SortedSet<Integer> slots) {
        return slots.toString().replace('[', '{').replace(']', '}').replace(" ", "");
    }
}
