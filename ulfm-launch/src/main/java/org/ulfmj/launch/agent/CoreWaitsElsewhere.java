package org.ulfmj.launch.agent;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.protocol.ProcessId;

/**
 * Keeps how long processes of other hosts wait for a core, as their agents report it. A call passes a question on and
 * does not wait for the answer, which is used when the same process is asked about the next time. Any thread.
 */
public final class CoreWaitsElsewhere {
    private final Consumer<JobEvent> events;
    private final Map<Integer, Asked> bySlot = new HashMap<>();
    private long lastQuestion;

    private static final class Asked {
        final long question;
        boolean isTold;
        long waitedNs;

        Asked(long question) {
            this.question = question;
        }
    }

    /** @param events takes the questions that go to the agents */
    public CoreWaitsElsewhere(Consumer<JobEvent> events) {
        this.events = events;
    }

    /**
     * Returns for how long the process has waited for a core since the last call for it, in ns, as far as its agent has
     * reported that, 0 at the first call; and asks the agent for the time from now on.
     */
    public synchronized long sinceLast(ProcessId process, long pid) {
        Asked before = bySlot.put(process.slot(), new Asked(++lastQuestion));
        events.accept(new JobEvent.CoreWaitsAsked(process, pid, lastQuestion));
        return before == null ? 0 : before.waitedNs;
    }

    /** Whether the last question about this process has got a first answer; true also if none was asked. */
    public synchronized boolean isKnown(ProcessId process) {
        Asked asked = bySlot.get(process.slot());
        return asked == null || asked.isTold;
    }

    public synchronized void told(ProcessId process, long question, long waitedNs) {
        Asked asked = bySlot.get(process.slot());
        if (asked != null && asked.question == question) {
            asked.isTold = true;
            asked.waitedNs = Math.max(asked.waitedNs, waitedNs);
        }
    }
}
