package org.ulfmj.launch;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.runtime.options.SilenceAction;
import org.ulfmj.runtime.waits.HungRanks;
import org.ulfmj.runtime.waits.RankView;

/**
 * Acts on hung programs ({@code ulfm.silence.limit}, {@code ulfm.progress.limit}). A rank that has neither entered nor
 * left a call of MPI for long reports that about itself. The watch then asks all ranks which ranks they wait for. The
 * answers decide whether some rank holds up another one, or whether no rank makes progress at all. Used by the
 * launcher's main thread; never blocks.
 */
final class HangWatch implements WaitSurvey.Answers {
    private static final int SERIES = 1;

    /** Carries out what is decided. */
    interface Outcomes {
        void tell(String line);

        /** The process is to be killed. */
        void fail(ProcessId process, String why);

        /**
         * Ends the job.
         *
         * @param title the title of the page that shows the views
         * @param views what the ranks have answered, or what is known of those that did not answer
         */
        void endJob(EndReason reason, String title, List<RankView> views);
    }

    private final long silenceNs;
    private final long progressNs;
    private final SilenceAction action;
    private final Outcomes outcomes;
    private final WaitSurvey survey;
    /** When the user was last told that a rank is hung, by rank. */
    private final SortedMap<ProcessId, Long> toldNs = new TreeMap<>();

    private long nowNs;

    private HangWatch(Options options, JobLedger ledger, WaitSurvey.States states, Outcomes outcomes) {
        this.silenceNs = options.silenceLimitNs();
        this.progressNs = options.progressLimitNs();
        this.action = options.silenceAction();
        this.outcomes = outcomes;
        this.survey = new WaitSurvey(ledger, states, this, SERIES);
    }

    /** Returns the watch of a job; null if neither limit is set. */
    static HangWatch of(Options options, JobLedger ledger, WaitSurvey.States states, Outcomes outcomes) {
        boolean isOn = Math.min(options.silenceLimitNs(), options.progressLimitNs()) != Long.MAX_VALUE;
        return isOn ? new HangWatch(options, ledger, states, outcomes) : null;
    }

    /**
     * Called when a rank reports that it has neither entered nor left a call of MPI for long, which it repeats while
     * this lasts. Asks all ranks which ranks they wait for, unless such a question is open.
     */
    void fellSilent(MeetingPoint meeting, long newNowNs) {
        nowNs = newNowNs;
        survey.askAll(meeting, nowNs);
    }

    void told(JobEvent.WaitsTold told, long newNowNs) {
        nowNs = newNowNs;
        survey.told(told.process(), told.request(), told.report());
    }

    /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
    long deadlineNs() {
        return survey.deadlineNs();
    }

    void tick(long newNowNs) {
        nowNs = newNowNs;
        survey.tick(nowNs);
    }

    @Override
    public void take(String title, List<RankView> views) {
        if (silenceNs != Long.MAX_VALUE) {
            for (HungRanks.HungRank hung : HungRanks.of(views, silenceNs)) {
                act(hung, title, views);
            }
        }
        if (progressNs != Long.MAX_VALUE && !HungRanks.isAnyProgress(views, progressNs)) {
            String why = "no rank has entered or left a call of MPI for " + Durations.text(progressNs)
                    + " (ulfm.progress.limit)";
            outcomes.endJob(EndReason.hung(why), title, views);
        }
    }

    private void act(HungRanks.HungRank hung, String title, List<RankView> views) {
        ProcessId process = hung.process();
        String what = hung.text() + " (ulfm.silence.limit " + Durations.text(silenceNs) + ")";
        switch (action) {
            case ABORT -> outcomes.endJob(EndReason.hung("rank " + process + " " + what), title, views);
            case FAIL -> outcomes.fail(process, what);
            case REPORT -> {
                Long before = toldNs.get(process);
                if (before == null || nowNs - before >= silenceNs) {
                    toldNs.put(process, nowNs);
                    outcomes.tell("rank " + process + " " + what);
                }
            }
        }
    }
}
