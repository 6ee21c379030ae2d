package org.ulfmj.runtime.side;

import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.waits.WaitScope;

/**
 * Writes lines to stderr about what this rank learns ({@code ulfm.ft.verbose}): failures from level 1 on, steps of
 * recovery from level 2 on. At level 0 no object of this class is made. Never blocks, except in {@link #awaitLines}.
 */
public final class ToldEvents {
    private static final int STEPS = 2;

    private final String rank;
    private final boolean hasSteps;
    private final SideThread thread = new SideThread("ulfm-told-events");

    public ToldEvents(ProcessId rank, int level) {
        this.rank = "rank " + rank + ": ";
        this.hasSteps = level >= STEPS;
    }

    public void failed(ProcessId process, Evidence evidence) {
        say("rank " + process + " has failed, says rank " + evidence.declaredBy() + " (" + evidence.reason() + ")");
    }

    public void revoked(WaitScope communicator) {
        if (hasSteps) {
            say(communicator.label() + " is revoked");
        }
    }

    public void begins(WaitScope communicator, Kind kind) {
        if (hasSteps) {
            say(kind.callName() + " on " + communicator.label() + " begins");
        }
    }

    public void decided(WaitScope communicator, Kind kind, Decision decision) {
        if (hasSteps) {
            say(kind.callName() + " on " + communicator.label() + " is decided; failed are " + decision.failed());
        }
    }

    /** Waits a moment, when the process ends, until its lines are written. */
    public void awaitLines() {
        thread.awaitLines(SideThread.LAST_LINES_NS);
    }

    private void say(String line) {
        thread.add(new SideThread.Line(rank + line));
    }
}
