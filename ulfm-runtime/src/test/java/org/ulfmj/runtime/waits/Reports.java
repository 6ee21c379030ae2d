package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;

/** Reports as ranks write them, in short. */
final class Reports {
    static final long SECOND = 1_000_000_000;

    private Reports() {}

    static Need need(String action, String detail, long number, int... slots) {
        List<AwaitedRank> peers = new ArrayList<>();
        for (int slot : slots) {
            peers.add(new AwaitedRank(slot, slot));
        }
        return new Need(action, detail, "COMM_WORLD", 7, 4, number, false, peers);
    }

    static Need fromAny() {
        return new Need("receive", "any tag", "COMM_WORLD", 7, 4, -1, true, List.of());
    }

    static Wait call(double seconds, String call, Need... needs) {
        return new Wait("", (long) (seconds * SECOND), call, "demo.Main.run(Main.java:9)", false, List.of(needs), 0);
    }

    static RankView waiting(int slot, Wait... waits) {
        Activity main = new Activity(Activity.Kind.WAITS, waits[0].forNs(), "", "");
        Stillness stillness = new Stillness(0, waits[0].forNs(), false);
        return RankView.of(new WaitReport(ProcessId.of(slot), main, List.of(waits), 0, 0, 0, List.of(), stillness));
    }

    static RankView receiving(int slot, double seconds, int from) {
        return waiting(slot, call(seconds, "recv", need("receive", "tag 1", -1, from)));
    }

    static RankView computing(int slot, double seconds) {
        return quiet(slot, seconds, Activity.Kind.COMPUTES);
    }

    /** A rank that does not wait. */
    static RankView quiet(int slot, double seconds, Activity.Kind kind) {
        long quietNs = (long) (seconds * SECOND);
        String call = kind == Activity.Kind.IN_OPERATOR || kind == Activity.Kind.IN_CALL ? "reduce" : "";
        Activity main = new Activity(kind, quietNs, call, "demo.Heat.relax(Heat.java:40)");
        Stillness stillness = new Stillness(quietNs, quietNs, false);
        return RankView.of(new WaitReport(ProcessId.of(slot), main, List.of(), 0, 0, 0, List.of(), stillness));
    }

    static RankView holding(int slot, int held, int unreceived, Integer... failed) {
        Activity main = new Activity(Activity.Kind.COMPUTES, SECOND, "", "");
        return RankView.of(new WaitReport(
                ProcessId.of(slot), main, List.of(), 0, held, unreceived, List.of(failed), new Stillness(0, 0, false)));
    }
}
