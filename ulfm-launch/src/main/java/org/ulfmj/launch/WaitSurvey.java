package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.launch.output.Report;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.waits.RankView;
import org.ulfmj.runtime.waits.WaitReport;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Asks the processes which ranks they wait for, gives them at most a second to answer, and then hands on what is known:
 * the answers, and for each process that did not answer or is gone what the launcher and the system know of it. Only
 * one question is open at a time; used by one thread, never blocks.
 */
final class WaitSurvey {
    private static final long PATIENCE_NS = 1_000_000_000;
    private static final String TITLE = "who waits for whom";
    private static final int ALL_RANKS = -1;

    /** Finds the state letter of a process. */
    interface States {
        char of(ProcessId process);
    }

    /** Takes the result of a survey. */
    interface Answers {
        /** @param title the title of a page that shows the views */
        void take(String title, List<RankView> views);

        /**
         * Makes answers that are printed as a page. Not a lambda, since the first lambda would cost a starting launcher
         * time.
         */
        static Answers printedBy(Report report) {
            return new Answers() {
                @Override
                public void take(String title, List<RankView> views) {
                    report.waits(title, views);
                }
            };
        }
    }

    private final JobLedger ledger;
    private final States states;
    private final Answers taker;
    private final SortedMap<Integer, WaitReport> answers = new TreeMap<>();
    private final SortedSet<Integer> missing = new TreeSet<>();
    private long request;
    private boolean isOpen;
    private int about;
    private long deadlineNs;

    /** @param series tells the requests of this survey from those of other surveys of the same job */
    WaitSurvey(JobLedger ledger, States states, Answers taker, int series) {
        this.ledger = ledger;
        this.states = states;
        this.taker = taker;
        this.request = (long) series << Integer.SIZE;
    }

    /**
     * Asks all ranks, unless such a question is open already.
     *
     * @param meeting null while there is no meeting point yet
     */
    void askAll(MeetingPoint meeting, long nowNs) {
        if (!isOpen || about != ALL_RANKS) {
            begin(ALL_RANKS, nowNs);
            for (int slot = 0; slot < ledger.size(); slot++) {
                askOne(slot, meeting);
            }
            endIfComplete();
        }
    }

    /** Asks only one process. Does nothing while another question is open, or if the process is not running. */
    void ask(ProcessId process, MeetingPoint meeting, long nowNs) {
        if (!isOpen && ledger.isRunning(process)) {
            begin(process.slot(), nowNs);
            askOne(process.slot(), meeting);
        }
    }

    private void begin(int newAbout, long nowNs) {
        request++;
        isOpen = true;
        about = newAbout;
        deadlineNs = nowNs + PATIENCE_NS;
        answers.clear();
        missing.clear();
    }

    private void askOne(int slot, MeetingPoint meeting) {
        ProcessId member = ledger.member(slot);
        if (ledger.isRunning(member)) {
            missing.add(slot);
            meeting.askWaits(member, request);
        }
    }

    void told(ProcessId process, long answered, WaitReport report) {
        if (isOpen && answered == request && ledger.isMember(process) && missing.remove(process.slot())) {
            answers.put(process.slot(), report);
            endIfComplete();
        }
    }

    /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
    long deadlineNs() {
        return isOpen ? deadlineNs : Long.MAX_VALUE;
    }

    void tick(long nowNs) {
        if (isOpen && nowNs >= deadlineNs) {
            end();
        }
    }

    private void endIfComplete() {
        if (missing.isEmpty()) {
            end();
        }
    }

    private void end() {
        isOpen = false;
        List<RankView> views = new ArrayList<>();
        for (int slot = 0; slot < ledger.size(); slot++) {
            boolean isAsked = about == ALL_RANKS || about == slot;
            if (isAsked && ledger.slot(ledger.member(slot)) >= 0) {
                views.add(view(slot));
            }
        }
        taker.take(about == ALL_RANKS ? TITLE : TITLE + " at rank " + ledger.slot(ledger.member(about)), views);
    }

    private RankView view(int slot) {
        ProcessId member = ledger.member(slot);
        if (answers.containsKey(slot) && !ledger.isGone(member)) {
            return RankView.of(answers.get(slot));
        }
        if (ledger.isGone(member)) {
            return RankView.gone(ledger.slot(member), ledger.standing(slot));
        }
        return RankView.silent(ledger.slot(member), ledger.isRunning(member) ? silence(member) : ledger.standing(slot));
    }

    private String silence(ProcessId process) {
        char state = states.of(process);
        String why =
                switch (state) {
                    case 'T' -> "its process is stopped (state T)";
                    case 't' -> "a debugger holds its process (state t)";
                    case 'D' -> "its process is held up in the system (state D)";
                    case 'Z', 'X', ProcessStat.GONE -> "its process has just died";
                    default -> "its process lives (state " + state + ")";
                };
        return "does not answer; " + why;
    }
}
