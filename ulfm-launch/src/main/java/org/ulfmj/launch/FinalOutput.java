package org.ulfmj.launch;

import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.output.ReportQueue;

/**
 * Waits until the rest of the output is written, once all processes have ended. Output is not lost because its reader
 * is slow: for a job that ended by itself, the launcher waits for the reader, as any command would, until a signal
 * comes or the job's time limit is over. A job that was ended from outside must end, so it has {@value #MOST_MS} ms for
 * all of its output. A stream that a process's children hold open while they write nothing is given up after the same
 * time. Used by the launcher's main thread.
 */
final class FinalOutput {
    private static final long MOST_MS = 2_000;
    private static final long MOST_NS = MOST_MS * 1_000_000;
    private static final long LOOK_NS = 10_000_000;

    private final Processes processes;
    private final ReportQueue queue;
    private final JobEvents events;
    private final Suspension suspension;

    /**
     * Whether {@link #cutShort} was called, or a signal or the end of the job's time limit has ended a wait. Each later
     * wait then has little time, even if all ranks ended by themselves.
     */
    private boolean isCutShort;

    /**
     * The time at which all waits together must have ended, for a job that must end; 0 before the first wait of such a
     * job.
     */
    private long lastNs;

    FinalOutput(Processes processes, ReportQueue queue, JobEvents events, Suspension suspension) {
        this.suspension = suspension;
        this.processes = processes;
        this.queue = queue;
        this.events = events;
    }

    /** Makes each later wait as short as for a job that must end. */
    void cutShort() {
        isCutShort = true;
    }

    /**
     * Waits until all output is written, or until the wait must be broken off.
     *
     * @param isEndedFromOutside whether the job was ended from outside, so that its output has little time
     * @param timeoutNs the time at which the job's time limit is over
     * @return a reason to end the job that came during the wait; null if there was none
     */
    EndReason await(boolean isEndedFromOutside, long timeoutNs) {
        long beganNs = System.nanoTime();
        boolean mustEnd = isEndedFromOutside || isCutShort;
        if (mustEnd && lastNs == 0) {
            lastNs = beganNs + MOST_NS;
        }
        while (true) {
            long nowNs = System.nanoTime();
            boolean isWritten = isWritten(beganNs, nowNs);
            if (mustEnd && nowNs >= lastNs) {
                return null;
            }
            if (nowNs >= timeoutNs && !mustEnd && !isWritten) {
                isCutShort = true;
                return EndReason.timeout();
            }
            // A failed write puts its event into the queue before the output counts as written, so the queue is read
            // once more after that.
            JobEvent event = events.take(isWritten ? 0 : LOOK_NS);
            if (event == null && isWritten) {
                return null;
            } else if (event instanceof JobEvent.Signalled signalled) {
                isCutShort = true;
                return EndReason.signalled(signalled.name());
            } else if (event instanceof JobEvent.OutputLost lost) {
                return lost.reason();
            } else if (event instanceof JobEvent.StopAsked asked) {
                suspension.stop(asked.continued());
            } else if (event instanceof JobEvent.Continued) {
                suspension.goOn();
            }
        }
    }

    private boolean isWritten(long beganNs, long nowNs) {
        boolean isChildrenTimeOver = nowNs - beganNs > MOST_NS;
        return queue.isEmpty() && processes.isOutputWritten(isChildrenTimeOver ? nowNs - MOST_NS : Long.MIN_VALUE);
    }
}
