package org.ulfmj.launch.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;

/**
 * Another host as the launcher sees it: its present agent and its processes. The launcher's main thread adds the
 * processes and marks the host lost; all other changes are made on the thread of the line.
 */
final class RemoteHost {
    /** What is known of the host's agent. */
    enum State {
        /** The agent waits to be started, until others have started. */
        WAITING,
        /** The agent was started and has not reported yet that it is ready. */
        STARTING,
        READY,
        /** The agent is dead, or seems so, and the host is not given up yet. */
        LOST,
        /** The host has no agent that counts: it has ended, could not be started, or is not wanted. */
        LEFT,
        /** The agent counts as dead, and all its processes with it. */
        GONE
    }

    final int index;
    /** The host's name, and its number of slots at the last {@link #begin}, if there was one. */
    volatile JobHosts.JobHost named;

    volatile long key;
    /** The key of the processes that a former agent may have left; 0 if there are none. */
    long formerKey;
    /** Which agent that was. */
    int formerAttempt;

    volatile State state;
    /** The number of the host's present agent, from 0. */
    int attempt;

    long nonce;
    /** The command that was run last to start an agent here; null if none was run since {@link #begin}. */
    AgentStarter.Running starter;
    /**
     * Whether the agent that is being started takes the place of a dead one, and will prove the ends of its processes.
     */
    boolean isReplacing;
    /** Whether it was decided to start another agent after a dead one, which happens once until {@link #begin}. */
    boolean hasBeenReplaced;
    /**
     * When it was decided to start another agent in the place of the one that was lost (the first since
     * {@link #begin}).
     */
    long replacedNs;
    /** When the start of the present agent began: a command was run for it, or the user was told to start it. */
    long startedNs;
    /** Whether the agent was told to leave, because the host has neither slots nor processes any more. */
    volatile boolean isReleased;
    /** When the agent was heard last. */
    long heardNs;
    /**
     * Whether a batch system or a user wants the host back: no process is started there while the present agent ends.
     */
    volatile boolean isWantedBack;
    /** When the judge of silences was last told that the agent was heard. */
    long heardToldNs;
    /** When the launcher was last told that the host has no agent that is heard. */
    long silenceToldNs;
    /**
     * When the launcher was first told of the present silence of the host; 0 if the agent is heard or the launcher was
     * not told.
     */
    long silentFromNs;
    /**
     * Whether the host counts as lost, since nothing at all was heard from it. It does until its agent is heard again,
     * or until {@link #begin}.
     */
    volatile boolean isLost;
    /** Why the agent is lost; null while it is not. */
    volatile String lostBecause;

    private final Map<Integer, RankProcess> processes = new TreeMap<>();
    private int lastNumber;

    RemoteHost(int index, JobHosts.JobHost named, long key, long nonce) {
        this(index, named, key, nonce, State.WAITING);
    }

    /**
     * @param state {@code LEFT} for a host that is discovered while the job runs, and gets its agent by {@link #begin}
     */
    RemoteHost(int index, JobHosts.JobHost named, long key, long nonce, State state) {
        this.index = index;
        this.state = state;
        this.named = named;
        this.key = key;
        this.nonce = nonce;
    }

    /** Returns the identity of the present agent on the line. */
    ProcessId agent() {
        return new ProcessId(index + 1, attempt);
    }

    String name() {
        return named.name();
    }

    /** Notes that processes of the present agent may be left when it is gone, so that the next agent must end them. */
    void mayLeave() {
        formerKey = key;
        formerAttempt = attempt;
    }

    /** Prepares the host for a new agent: the notes that the former one was lost, replaced or released are dropped. */
    void begin(JobHosts.JobHost present, long newKey, long newNonce) {
        if (state == State.GONE && !isReplacing) {
            mayLeave();
        }
        named = present;
        attempt++;
        key = newKey;
        nonce = newNonce;
        starter = null;
        isReplacing = false;
        hasBeenReplaced = false;
        isReleased = false;
        isWantedBack = false;
        isLost = false;
        lostBecause = null;
        heardNs = 0;
        heardToldNs = 0;
        silenceToldNs = 0;
        silentFromNs = 0;
    }

    /** A number for one more process. */
    synchronized int nextNumber() {
        return ++lastNumber;
    }

    synchronized void add(int number, RankProcess process) {
        processes.put(number, process);
    }

    /** Returns the process with this number; null if there is none. */
    synchronized RankProcess find(int number) {
        return processes.get(number);
    }

    /** Returns how many processes of this host have not ended. */
    synchronized int running() {
        int running = 0;
        for (RankProcess process : processes.values()) {
            running += process.hasEnded() ? 0 : 1;
        }
        return running;
    }

    synchronized List<RankProcess> all() {
        return new ArrayList<>(processes.values());
    }

    static RemoteProcess of(RankProcess process) {
        return (RemoteProcess) process.process();
    }
}
