package org.ulfmj.launch.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;

/**
 * Another host, as the launcher sees it: its present agent and its processes. The processes are added by the launcher's
 * main thread; everything else belongs to the thread of the line.
 */
final class RemoteHost {
    /** What is known of the host's agent. */
    enum State {
        /** Its start waits for that of others, or for the user. */
        WAITING,
        /** It was started and has not called yet. */
        STARTING,
        READY,
        /** It is dead or cannot be reached, and another one may still prove what became of its processes. */
        LOST,
        /** It has left in order. */
        LEFT,
        /** It is held for dead, and all its processes with it. */
        GONE
    }

    final int index;
    /** With the slots that the host had when its present agent was started. */
    volatile JobHosts.JobHost named;

    volatile long key;
    /** The key of the processes that an agent before may have left; 0 if none has. */
    long formerKey;
    /** Which agent that was. */
    int formerAttempt;

    volatile State state;
    /** Which agent of the host is the present one. */
    int attempt;

    long nonce;
    /** The command that has started the present agent; null if there is none. */
    AgentStarter.Running starter;
    /** Whether the agent that is started takes the place of a dead one, and proves the ends of its processes. */
    boolean isReplacing;
    /** Whether an agent has taken the place of a dead one, which happens once. */
    boolean hasBeenReplaced;
    /** When the start of another agent was decided, after the first one was lost. */
    long replacedNs;
    /** When the command was run that starts the present agent. */
    long startedNs;
    /** Whether the agent was told to leave, as the host has no slots any more, and no process. */
    volatile boolean isReleased;
    /** When the agent was heard last. */
    long heardNs;
    /** Whether a batch system or a user wants the host back: nothing is started there while the present agent ends. */
    volatile boolean isWantedBack;
    /** When the judge of silences was last told that the agent was heard. */
    long heardToldNs;
    /** When the launcher was last told that the agent is silent. */
    long silenceToldNs;
    /** When the launcher was first told so, since the agent was last heard; 0 if it was not. */
    long silentFromNs;
    /** Whether the host counts as lost: nothing at all was heard of it, until its agent is heard again. */
    volatile boolean isLost;
    /** Why it is lost; null while it is not. */
    volatile String lostBecause;

    private final Map<Integer, RankProcess> processes = new TreeMap<>();
    private int lastNumber;

    RemoteHost(int index, JobHosts.JobHost named, long key, long nonce) {
        this(index, named, key, nonce, State.WAITING);
    }

    /** @param state LEFT for a host that is found while the job runs, and gets its agent by {@link #begin} */
    RemoteHost(int index, JobHosts.JobHost named, long key, long nonce, State state) {
        this.index = index;
        this.state = state;
        this.named = named;
        this.key = key;
        this.nonce = nonce;
    }

    /** The end of the line that the present agent has. */
    ProcessId agent() {
        return new ProcessId(index + 1, attempt);
    }

    String name() {
        return named.name();
    }

    /** The processes of the present agent may be left when it is not there any more: the next one has to end them. */
    void mayLeave() {
        formerKey = key;
        formerAttempt = attempt;
    }

    /** The host has no agent: a new one begins anew, and leaves nothing of what was. */
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

    /** The process with a number; null if there is none. */
    synchronized RankProcess find(int number) {
        return processes.get(number);
    }

    /** How many of its processes have not ended. */
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
