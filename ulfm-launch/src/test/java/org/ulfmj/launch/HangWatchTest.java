package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.runtime.waits.Activity;
import org.ulfmj.runtime.waits.AwaitedRank;
import org.ulfmj.runtime.waits.Need;
import org.ulfmj.runtime.waits.RankView;
import org.ulfmj.runtime.waits.Stillness;
import org.ulfmj.runtime.waits.Wait;
import org.ulfmj.runtime.waits.WaitReport;

class HangWatchTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final String HUNG =
            "rank 1'2 has not called MPI for 3.0 s while rank 0 waits for it (ulfm.silence.limit 2s)";

    private final List<String> done = new ArrayList<>();

    private final HangWatch.Outcomes outcomes = new HangWatch.Outcomes() {
        @Override
        public void tell(String line) {
            done.add(line);
        }

        @Override
        public void fail(ProcessId process, String why) {
            done.add("kill " + process + ": " + why);
        }

        @Override
        public void endJob(EndReason reason, String title, List<RankView> views) {
            assertThat(views).isNotEmpty();
            done.add("end " + reason.kind() + ": " + reason.message());
        }
    };

    private HangWatch watch(String... settings) {
        Map<String, String> all = new TreeMap<>(Map.of("ulfm.fd.timeout", "1s"));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return HangWatch.of(Options.of(all), new JobLedger(2, true), process -> 'S', outcomes);
    }

    private static RankView silent(double seconds) {
        long ns = (long) (seconds * SECOND_NS);
        Activity main = new Activity(Activity.Kind.COMPUTES, ns, "", "");
        return view(new ProcessId(1, 2), main, List.of(), new Stillness(ns, ns, false));
    }

    /** The view of rank 0 while it waits in a receive for this rank, for so many seconds. */
    private static RankView waiting(int forRank, double seconds) {
        long ns = (long) (seconds * SECOND_NS);
        Need need = new Need("receive", "", "COMM_WORLD", 7, 2, -1, false, List.of(new AwaitedRank(forRank, forRank)));
        Wait wait = new Wait("", ns, "recv", "", false, List.of(need), 0);
        Activity main = new Activity(Activity.Kind.WAITS, ns, "", "");
        return view(ProcessId.of(0), main, List.of(wait), new Stillness(0, ns, false));
    }

    private static RankView view(ProcessId process, Activity main, List<Wait> waits, Stillness stillness) {
        return RankView.of(new WaitReport(process, main, waits, 0, 0, 0, List.of(), stillness));
    }

    @Test
    void shouldNotExistWithoutALimit() {
        assertThat(watch()).isNull();
    }

    @Test
    void shouldEndTheJobByDefault() {
        watch("ulfm.silence.limit", "2s").take("", List.of(waiting(1, 3), silent(3)));
        assertThat(done).containsExactly("end HUNG: " + HUNG);
    }

    @Test
    void shouldHaveTheRankKilled() {
        watch("ulfm.silence.limit", "2s", "ulfm.silence.action", "fail").take("", List.of(waiting(1, 3), silent(3)));
        assertThat(done).containsExactly("kill 1'2: " + HUNG.substring("rank 1'2 ".length()));
    }

    @Test
    void shouldReportARankAtMostOnceInALimit() {
        HangWatch watch = watch("ulfm.silence.limit", "2s", "ulfm.silence.action", "report");
        for (long ms = 0; ms < 4_400; ms += 500) {
            watch.tick(ms * 1_000_000);
            watch.take("", List.of(waiting(1, 3), silent(3)));
        }
        assertThat(done).containsExactly(HUNG, HUNG, HUNG);
    }

    @Test
    void shouldLeaveARankAloneThatNoOtherWaitsFor() {
        watch("ulfm.silence.limit", "2s").take("", List.of(silent(1_000)));
        assertThat(done).isEmpty();
    }

    @Test
    void shouldEndTheJobIfNoRankGoesOn() {
        HangWatch watch = watch("ulfm.progress.limit", "4s");
        watch.take("", List.of(waiting(1, 3.9), silent(5)));
        assertThat(done).as("rank 0 has called 3.9 s ago").isEmpty();
        watch.take("", List.of(waiting(0, 5), silent(5)));
        assertThat(done)
                .containsExactly("end HUNG: no rank has entered or left a call of MPI for 4s (ulfm.progress.limit)");
    }
}
