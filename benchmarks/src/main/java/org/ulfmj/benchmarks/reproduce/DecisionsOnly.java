package org.ulfmj.benchmarks.reproduce;

import java.util.Collection;
import java.util.List;
import org.ulfmj.agree.Effects;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;

/**
 * The effects of a survivor core in a world whose processes agree and do nothing else. A subclass takes the decisions.
 * The effects of silences, deaths, departures, revocations and replacements throw, unless the subclass takes them too;
 * there are no peers with a session.
 */
public abstract class DecisionsOnly implements Effects {
    @Override
    public void silent(ProcessId process) {
        throw new IllegalStateException("process " + process + " is silent");
    }

    @Override
    public void heard(ProcessId process) {
        throw new IllegalStateException("process " + process + " was silent");
    }

    @Override
    public void drain(ProcessId process) {
        throw new IllegalStateException("process " + process + " is to be drained");
    }

    @Override
    public void failed(ProcessId process, Evidence evidence) {
        throw new IllegalStateException("process " + process + " failed");
    }

    @Override
    public void departed(ProcessId process) {
        throw new IllegalStateException("process " + process + " departed");
    }

    @Override
    public void revoked(long communicator) {
        throw new IllegalStateException("communicator " + communicator + " was revoked");
    }

    @Override
    public void fenced(String reason) {
        throw new IllegalStateException("a process fenced itself: " + reason);
    }

    @Override
    public Collection<ProcessId> peersWithSession() {
        return List.of();
    }
}
