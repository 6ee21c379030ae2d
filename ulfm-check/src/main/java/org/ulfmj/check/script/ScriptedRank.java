package org.ulfmj.check.script;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.Effects;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/** A rank of a scripted world: the survivor core, what it has decided, and the revocations that it was told of. */
final class ScriptedRank implements Effects {
    /** One step of the core. */
    @FunctionalInterface
    interface Step {
        void run(Outbox<ProcessId, ControlMessage> out);
    }

    private final ProcessId id;
    private final SurvivorCore core;
    private final SortedMap<Long, Decision> decisions = new TreeMap<>();
    private final SortedSet<Long> revoked = new TreeSet<>();
    private long lastEntered;
    private boolean crashed;

    ScriptedRank(int slot, Membership members) {
        this.id = ProcessId.of(slot);
        this.core = new SurvivorCore(id, members, Timing.fromTimeout(1_000_000_000L), this, 0);
    }

    ProcessId id() {
        return id;
    }

    SurvivorCore core() {
        return core;
    }

    boolean isRunning() {
        return !crashed && !core.isFenced();
    }

    /**
     * Whether the rank has not crashed. A rank that fences itself no longer runs, but still sends the messages of the
     * step that it is in.
     */
    boolean isAlive() {
        return !crashed;
    }

    void crash() {
        crashed = true;
    }

    void entered(long sequence) {
        lastEntered = sequence;
    }

    /** Returns the sequence number of the last agreement that the rank has entered; 0 before its first. */
    long lastEntered() {
        return lastEntered;
    }

    Decision decision(long sequence) {
        return decisions.get(sequence);
    }

    @Override
    public void decided(long communicator, long sequence, Decision decision) {
        decisions.put(sequence, decision);
    }

    /** Never called, as the core's timers never fire here. A suspicion is a step of the script. */
    @Override
    public void silent(ProcessId process) {}

    /** Never called: the core's timers never fire here, so the detector reports no silence, and none ends. */
    @Override
    public void heard(ProcessId process) {}

    /** Does nothing: the script says when the messages of a dead rank have been read. */
    @Override
    public void drain(ProcessId process) {}

    /** Does nothing: the core itself knows which processes have failed. */
    @Override
    public void failed(ProcessId process, Evidence evidence) {}

    /** Does nothing: the core itself knows which processes have departed. */
    @Override
    public void departed(ProcessId process) {}

    @Override
    public void revoked(long communicator) {
        revoked.add(communicator);
    }

    /** Whether the rank was told that a communicator is revoked. */
    boolean isRevoked(long communicator) {
        return revoked.contains(communicator);
    }

    /** Does nothing: the core itself knows that it is fenced. */
    @Override
    public void fenced(String reason) {}

    @Override
    public Collection<ProcessId> peersWithSession() {
        return List.of();
    }
}
