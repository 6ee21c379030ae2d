package org.ulfmj.rendezvous.silence;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/** J3: the lost paths between processes. Each confirmed complaint is one path, lost for both its ends. */
final class Paths {
    private final SortedMap<ProcessId, SortedSet<ProcessId>> lost = new TreeMap<>();

    Paths(List<Complaint> confirmed) {
        for (Complaint complaint : confirmed) {
            add(complaint.by.id, complaint.about.id);
            add(complaint.about.id, complaint.by.id);
        }
    }

    private void add(ProcessId one, ProcessId other) {
        lost.computeIfAbsent(one, id -> new TreeSet<>()).add(other);
    }

    /** The process with the most lost paths; of several, the one with the highest slot. */
    ProcessId worst() {
        ProcessId worst = null;
        for (Map.Entry<ProcessId, SortedSet<ProcessId>> each : lost.entrySet()) {
            if (worst == null || each.getValue().size() >= lost.get(worst).size()) {
                worst = each.getKey();
            }
        }
        return worst;
    }

    /** The reason for which a process with lost paths is ended, in words. */
    String reasonOf(ProcessId process) {
        StringJoiner others = new StringJoiner(", ");
        for (ProcessId other : lost.get(process)) {
            others.add(other.toString());
        }
        boolean isOne = lost.get(process).size() == 1;
        return "has no path to " + (isOne ? "rank " : "ranks ") + others + " (" + (isOne ? "both" : "all")
                + " answer mpiexec)";
    }
}
