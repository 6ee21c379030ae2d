package org.ulfmj.launch;

import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.end.EndSequence;
import org.ulfmj.launch.output.Report;
import org.ulfmj.rendezvous.replacement.Replacements;

/**
 * The end of a job from the moment when it is decided: the reason, and the steps up to the last SIGKILL, each at its
 * time. Also ends the processes that are still waiting for a place when the program has ended. Used by the launcher's
 * main thread.
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

    /** The sequence that ends the job before its time; null until that is decided. */
    private EndSequence end;

    private boolean isHurried;

    /**
     * The sequence that ends the processes that are still waiting for a place when the program has ended; null before.
     */
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

    /** Sets the meeting point through which processes are asked which ranks they wait for. */
    void prepare(MeetingPoint point) {
        meeting = point;
    }

    /** Returns when the time limit of the job is over; {@link Long#MAX_VALUE} for never. */
    long timeoutNs() {
        return timeoutNs;
    }

    /** Returns why the job ends before its time; null if it does not. */
    EndReason reason() {
        return end == null ? null : end.reason();
    }

    /** Whether it is decided to end the job before its time. */
    boolean isDecided() {
        return end != null;
    }

    /** Whether processes are being ended, so that the job only waits for them to end. */
    boolean isUnderWay() {
        return end != null || tidying != null;
    }

    /** Whether the job ends here because too few of its ranks are left on the launcher's side of a network split. */
    boolean isInMinority() {
        return end != null && end.reason().kind() == EndReason.Kind.MINORITY;
    }

    /** As {@link #decide}; does nothing for null. */
    void decideIf(EndReason reason) {
        if (reason != null) {
            decide(reason);
        }
    }

    /** Begins to end the job for a reason. If the job has a reason already, this one is ignored. */
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

    /**
     * Called when a signal comes while the job is already being ended: the processes that are left are killed now, or,
     * if SIGKILL was sent before, not waited for any longer.
     */
    void hurry() {
        isHurried = true;
        end.hurry(System.nanoTime());
    }

    /** Whether a signal has come while the job was already being ended. */
    boolean isHurried() {
        return isHurried;
    }

    /**
     * Begins to end the spares and newcomers that no world will admit any more, once the program has ended or all
     * processes have.
     */
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
     * Decides to end the job if its time limit is over and no processes are being ended yet, and takes the step that is
     * due to end it. Returns whether it is useless to wait any longer for the processes that are left.
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
                // Processes that another launcher has started get no SIGTERM from this one: the rendezvous tells them
                // to end, and their own launcher reports their exit codes to its user.
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
