package org.ulfmj.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.ProcessStat;

/**
 * A page on the member of each slot, in an elastic job on each child, for {@code --report-state-on-timeout}. Used by
 * the launcher's main thread.
 */
final class StateReport {
    private static final double SECOND_MS = 1_000;

    private final JobLedger ledger;
    private final Processes processes;

    StateReport(JobLedger ledger, Processes processes) {
        this.ledger = ledger;
        this.processes = processes;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int slot = 0; slot < ledger.size(); slot++) {
            ProcessId member = ledger.member(slot);
            RankProcess process = processes.find(member);
            ProcessStat stat = process == null || !process.isHere() ? null : ProcessStat.of(process.pid());
            lines.add("  " + ledger.title(member) + ": "
                    + (stat == null ? ledger.standing(slot) : running(member, stat)));
        }
        return lines;
    }

    private String running(ProcessId member, ProcessStat stat) {
        String place = ledger.hasFinalized(member)
                ? "has finalized"
                : ledger.hasJoined(member) ? "has called MPI.Init" : "has not called MPI.Init";
        Duration used = ProcessHandle.of(stat.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
        return String.format(
                Locale.ROOT,
                "%s; pid %d (%s), state %s, %d threads, %.1f s of processor time",
                place,
                stat.pid(),
                stat.name(),
                stat.state(),
                stat.threads(),
                used.toMillis() / SECOND_MS);
    }
}
