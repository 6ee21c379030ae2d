package org.ulfmj.launch;

import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.EndSequence;
import org.ulfmj.launch.output.Report;
import org.ulfmj.rendezvous.replacement.Replacements;

/**
 * The end of a job, from its decision on: why it ends, and the steps until the last SIGKILL, each at its time. Also the
 * end of the processes that still waited for a place when the program was over. Used by the launcher's main thread.
 */
final class JobEnd {
    private final LaunchRequest request;
    private final Report report;
    private final JobLedger ledger;
    private final Processes processes;
    private final Replacements replacements;
    private final WaitSurvey survey;

    /** Set before any process is started. */
    private MeetingPoint meeting;

    private long timeoutNs = Long.MAX_VALUE;

    /** The end of the job before its time; null until that is decided. */
    private EndSequence end;

    private boolean isHurried;

    /** The end of the processes that still waited for a place when the program was over; null before. */
    private EndSequence tidying;

    JobEnd(
            LaunchRequest request,
            Report report,
            JobLedger ledger,
            Processes processes,
            Replacements replacements,
            WaitSurvey survey) {
        this.request = request;
        this.report = report;
        this.ledger = ledger;
        this.processes = processes;
        this.replacements = replacements;
        this.survey = survey;
    }

    /** The time of the job begins. */
    void begin(long nowNs) {
        timeoutNs = request.timeoutNs() == 0 ? Long.MAX_VALUE : nowNs + request.timeoutNs();
    }

    /** Sets the meeting point through which processes are asked for whom they wait. */
    void prepare(MeetingPoint point) {
        meeting = point;
    }

    /** When the time of the job is over; {@link Long#MAX_VALUE} for never. */
    long timeoutNs() {
        return timeoutNs;
    }

    /** Why the job ends before its time; null if it does not. */
    EndReason reason() {
        return end == null ? null : end.reason();
    }

    /** Whether the job is ended before its time. */
    boolean isDecided() {
        return end != null;
    }

    /** Whether the job waits only for the end of processes that must end. */
    boolean isUnderWay() {
        return end != null || tidying != null;
    }

    /** Whether the job is over here as too few of its ranks are left on this side of a split. */
    boolean isInMinority() {
        return end != null && end.reason().kind() == EndReason.Kind.MINORITY;
    }

    /** As {@link #decide}; does nothing for null. */
    void decideIf(EndReason reason) {
        if (reason != null) {
            decide(reason);
        }
    }

    /** Ends the job for a reason. If the job already has a reason, the first one counts. */
    void decide(EndReason reason) {
        if (end != null) {
            return;
        }
        report.say(reason.message() + "; ending the job");
        replacements.stop(reason.message());
        long graceNs = request.options().graceNs();
        boolean isJava = request.isAnyJava() || dumpsAllStacks();
        end = new EndSequence(reason, ledger.hasAnybodyJoined(), isJava, graceNs, System.nanoTime());
        if (reason.kind() == EndReason.Kind.TIMEOUT
                && request.extras() != null
                && request.extras().reportsState()) {
            report.page("state of the processes", new StateReport(ledger, processes).lines());
        }
        if (request.elastic() != null && reason.kind() == EndReason.Kind.NOT_FORMED) {
            meeting.server().closeRendezvous(reason.message());
        }
        if (reason.kind() == EndReason.Kind.NOT_FORMED || reason.kind() == EndReason.Kind.ABORT) {
            ledger.toldToEnd();
        }
    }

    /** The user lost patience: the processes that are left are killed now. */
    void hurry() {
        isHurried = true;
        end.hurry(System.nanoTime());
    }

    /** Whether the user lost patience. */
    boolean isHurried() {
        return isHurried;
    }

    /** Once the program is over, begins to end the spares and newcomers that no world will admit any more. */
    void tidyIfOver(long nowNs) {
        if (!isUnderWay() && (ledger.isOver() || ledger.haveAllEnded())) {
            replacements.stop("the job is over");
            ledger.toldToEnd();
            tidying = new EndSequence(
                    EndReason.done(),
                    true,
                    request.isAnyJava(),
                    request.options().graceNs(),
                    nowNs);
        }
    }

    /**
     * Takes the step that is due to end the job. Returns whether it is no use to wait for the processes that are left.
     */
    boolean tick(long nowNs) {
        if (nowNs >= timeoutNs && !isUnderWay()) {
            decide(EndReason.timeout());
        }
        return isUnderWay() && act(end == null ? tidying : end, nowNs);
    }

    /** When {@link #tick} is due. */
    long deadlineNs() {
        EndSequence ending = end == null ? tidying : end;
        return ending == null ? timeoutNs : ending.deadlineNs();
    }

    private boolean act(EndSequence ending, long nowNs) {
        EndSequence.Action action = ending.due(nowNs);
        if (action == EndSequence.Action.ASK) {
            survey.askAll(meeting, nowNs);
        } else if (action == EndSequence.Action.DUMP) {
            processes.dumpStacks(dumpsAllStacks());
        } else if (action != null) {
            ledger.toldToEnd();
            if (end == null && action == EndSequence.Action.TERMINATE) {
                // What another launcher has started is told by the rendezvous, and its exit code is told to a user.
                processes.terminateOwn();
                return ending.isOver(nowNs);
            }
            processes.signal(
                    switch (action) {
                        case INTERRUPT -> "INT";
                        case TERMINATE -> "TERM";
                        default -> "KILL";
                    });
        }
        return ending.isOver(nowNs);
    }

    private boolean dumpsAllStacks() {
        return request.extras() != null && request.extras().dumpsAllStacks();
    }
}
