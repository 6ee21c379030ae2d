package org.ulfmj.testkit;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.silence.SilenceEffects;
import org.ulfmj.rendezvous.silence.SilenceJudge;

/**
 * The part of a {@link LocalLauncher} that ends ranks which fall silent: the shipped {@link SilenceJudge}. On the
 * launcher's thread.
 */
final class LocalJudge implements SilenceEffects {
    private final LocalJob job;
    private final LocalLauncher launcher;
    private final SilenceJudge judge;
    private final SortedSet<ProcessId> gone = new TreeSet<>();
    private boolean isPlanned;

    LocalJudge(LocalJob job, LocalLauncher launcher, long timeoutNs) {
        this.job = job;
        this.launcher = launcher;
        this.judge = new SilenceJudge(timeoutNs, this);
    }

    void start() {
        for (LocalRank rank : job.processes()) {
            runs(rank.id());
        }
    }

    private void plan() {
        long dueNs = judge.nextDeadlineNs();
        if (!isPlanned && dueNs != Long.MAX_VALUE) {
            isPlanned = true;
            launcher.stepAfter(Math.max(0, dueNs - System.nanoTime()));
        }
    }

    void step() {
        isPlanned = false;
        judge.onTick(System.nanoTime());
        plan();
    }

    void runs(ProcessId process) {
        if (!gone.contains(process)) {
            judge.runs(process, System.nanoTime());
            plan();
        }
    }

    /** Its end is known, or it has said goodbye. */
    void leaves(ProcessId process) {
        gone.add(process);
        judge.leaves(process, System.nanoTime());
    }

    void suspects(ProcessId by, ProcessId about) {
        judge.suspects(by, about, System.nanoTime());
    }

    void hears(ProcessId by, ProcessId about) {
        judge.hears(by, about, System.nanoTime());
    }

    void answers(ProcessId process, long question) {
        judge.answers(process, question, System.nanoTime());
    }

    void confirms(ProcessId by, long question, ProcessId about) {
        judge.confirms(by, question, about, System.nanoTime());
    }

    @Override
    public void ask(ProcessId member, long question, List<ProcessId> complainers) {
        ifAlive(member, process -> process.onAreYouThere(question, complainers));
    }

    @Override
    public void askComplainer(ProcessId complainer, long question, ProcessId about) {
        ifAlive(complainer, process -> process.onDoYouHear(question, about));
    }

    private void ifAlive(ProcessId member, Consumer<LocalRank> word) {
        for (LocalRank process : job.processes()) {
            if (process.id().equals(member) && !process.hasEnded()) {
                word.accept(process);
            }
        }
    }

    @Override
    public void kill(ProcessId process, String reason) {
        for (LocalRank each : job.processes()) {
            if (each.id().equals(process)) {
                launcher.end(each, reason);
            }
        }
    }

    /** Threads have no state that a signal does not end. */
    @Override
    public void giveUp(ProcessId process, String reason) {
        throw new IllegalStateException("the end of rank " + process + " is never proven: " + reason);
    }
}
