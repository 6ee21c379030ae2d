package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;

/** Effects that a core asks of its driver. Some are noted and the others ignored, unless a subclass does more. */
abstract class NotedEffects implements Effects {
    final ProcessId id;
    final List<ProcessId> failed = new ArrayList<>();
    final List<ProcessId> silent = new ArrayList<>();
    final SortedSet<ProcessId> toDrain = new TreeSet<>();
    String fencedBecause;

    NotedEffects(ProcessId id) {
        this.id = id;
    }

    @Override
    public void silent(ProcessId process) {
        silent.add(process);
    }

    @Override
    public void heard(ProcessId process) {
        silent.remove(process);
    }

    @Override
    public void drain(ProcessId process) {
        toDrain.add(process);
    }

    @Override
    public void failed(ProcessId process, Evidence evidence) {
        failed.add(process);
    }

    @Override
    public void departed(ProcessId process) {}

    @Override
    public void revoked(long communicator) {}

    @Override
    public void decided(long communicator, long sequence, Decision decision) {}

    @Override
    public void fenced(String reason) {
        fencedBecause = reason;
    }

    @Override
    public Collection<ProcessId> peersWithSession() {
        return List.of();
    }
}
