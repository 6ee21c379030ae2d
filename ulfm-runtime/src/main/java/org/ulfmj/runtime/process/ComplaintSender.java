package org.ulfmj.runtime.process;

import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/**
 * J1: keeps the complaints of this rank about other processes, with their reasons: no heartbeat comes, or the link is
 * lost. The complaint about a process begins with its first reason and ends when no reason is left. Complaints about
 * processes that are gone are dropped. Under the engine lock.
 */
public final class ComplaintSender {
    /** The receiver of complaints. */
    public interface Listener {
        void onComplaint(ProcessId process);

        /** The complaint of the process is withdrawn. */
        void onWithdrawn(ProcessId process);
    }

    private final Listener listener;
    private final SortedSet<ProcessId> silent = new TreeSet<>();
    private final SortedSet<ProcessId> unlinked = new TreeSet<>();

    public ComplaintSender(Listener listener) {
        this.listener = listener;
    }

    public void silent(ProcessId process) {
        begin(process, silent);
    }

    public void heard(ProcessId process) {
        end(process, silent);
    }

    public void linkLost(ProcessId process) {
        begin(process, unlinked);
    }

    public void linkRestored(ProcessId process) {
        end(process, unlinked);
    }

    public void gone(ProcessId process) {
        silent.remove(process);
        unlinked.remove(process);
    }

    public boolean holds(ProcessId process) {
        return silent.contains(process) || unlinked.contains(process);
    }

    private void begin(ProcessId process, SortedSet<ProcessId> reason) {
        boolean isNew = !holds(process);
        reason.add(process);
        if (isNew) {
            listener.onComplaint(process);
        }
    }

    private void end(ProcessId process, SortedSet<ProcessId> reason) {
        if (reason.remove(process) && !holds(process)) {
            listener.onWithdrawn(process);
        }
    }
}
