package org.ulfmj.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.benchmarks.result.Bar;
import org.ulfmj.benchmarks.result.Limit;

/**
 * The bars: the limits that our figures at some places must keep. There is one list for fewer than four cores and one
 * for four or more. A place is one measurement, by its name; many places have no bar.
 */
final class Bars {
    private static final double MS = 1_000;

    /**
     * The largest message or part, in bytes, for which the bars against MPJ Express on four or more cores are those of
     * short operations. Larger ones have a wider bar there; on fewer cores all sizes have the same bar.
     */
    private static final int SHORT_BYTES = 64 << 10;

    /**
     * The time in µs until a revocation has reached the last rank in Open MPI 5.0.10 on two cores, for jobs of 2, 4 and
     * 8 ranks that poll. No program here measures it.
     */
    private static final double[] OPEN_MPI_5_REVOKE = {1.4, 9.3, 20};

    private final List<Bar> bars = new ArrayList<>();
    private final boolean four;

    private Bars(int cores) {
        four = cores >= 4;
    }

    static List<Bar> on(int cores) {
        Bars table = new Bars(cores);
        table.messages();
        table.collectives();
        table.firstSeconds();
        table.agreements();
        table.started();
        table.failures();
        table.recoveries();
        table.rest();
        table.mpjExpress();
        return List.copyOf(table.bars);
    }

    private void messages() {
        ratio("shm/2/pp:8", 1.1, 1.1);
        ratio("shm/2/pp:64k", 0.6, 0.65);
        ratio("shm/2/pp:1m", 0.5, 0.65);
        ratio("shm/2/pp:4m", 0.6, 0.6);
        ratio("shm/2/ppa:4m", 0.6, 0.6);
        bar("shm/2/ppa:4m", Limit.job(0.35, 0, "ompi-java"));
        ratio("shm/2/ppa:8", 1.1, 1.1);
        ratio("shm/2/pps:8", 1.1, 1.1);
        ratio("shm/2/ppw:1m", 0.5, 0.5);
        ratio("shm/2/ppaw:1m", 0.7, 0.7);
        ratio("shm/2/ppsw:1m", 0.5, 0.5);
        ratio("shm/2/rate:8", 1.5, 1.5);
        ratio("tcp/2/pp:8", 1.3, 1.3);
        ratio("tcp/2/pp:64k", 0.8, 1.2);
        ratio("tcp/2/pp:4m", 1.25, 1.15);
    }

    private void collectives() {
        ratio("shm/2/barrier", 0.8, 0.8);
        ratio("shm/2/allreduce:8", 0.6, 0.8);
        for (int ranks : new int[] {4, 8}) {
            ratio("shm/" + ranks + "/barrier", 1.0, 0.8);
            ratio("shm/" + ranks + "/allreduce:8", 1.0, 0.8);
        }
        for (int ranks : new int[] {2, 4, 8}) {
            ratio("shm/" + ranks + "/allreduce:64k", 0.6, 0.6);
            ratio("shm/" + ranks + "/allreduce:4m", ranks == 2 ? 0.9 : 0.75, 0.6);
        }
        if (four) {
            bar("hog/4/barrier+hog", Limit.constant(50));
        } else {
            bar("hog/2/barrier+hog", Limit.place(3, "hog/2/barrier"));
        }
    }

    /**
     * Adds the bars of first seconds, which exist only where there are fewer than four cores: for the worst window of
     * 100 ms from a given time on, where the figure of a window is the median over the jobs; and for the calls that
     * whole short jobs make.
     */
    private void firstSeconds() {
        if (four) {
            return;
        }
        bar("first/2/pp:8 from 0.3 s", Limit.constant(15).ofWorst());
        bar("first/2/pp:8 from 1.0 s", Limit.constant(1.2).ofWorst());
        bar("first/2/allreduce:8 from 0.3 s", Limit.constant(20).ofWorst());
        bar("first/2/allreduce:8 from 1.0 s", Limit.constant(1.5).ofWorst());
        bar("first/4/allreduce:8 from 1.0 s", Limit.constant(100).ofWorst());
        bar("first/4/allreduce:8 from 2.0 s", Limit.constant(30).ofWorst());
        bar("short/2/1 s", Limit.openMpi(20).as("1/20 of its calls"));
        bar("short/2/3 s", Limit.openMpi(4).as("1/4 of its calls"));
    }

    private void agreements() {
        if (four) {
            bar("agree/4/agree", Limit.constant(2.4), Limit.place(3, "agree/4/allreduce:8"));
        } else {
            bar("agree/2/agree", Limit.constant(1.0), Limit.place(3, "agree/2/allreduce:8"));
            bar("agree/4/agree", Limit.constant(11), Limit.place(1.5, "agree/4/allreduce:8"));
            bar("agree/8/agree", Limit.constant(33), Limit.place(1.5, "agree/8/allreduce:8"));
        }
        for (int i = 0; i < OPEN_MPI_5_REVOKE.length; i++) {
            int ranks = 2 << i;
            String place = "revoke/" + ranks + "/last, polling";
            bar(place, Limit.place(2, "revoke/" + ranks + "/bcast:8 to the last, polling"));
            if (!four) {
                bar(place, Limit.constant(OPEN_MPI_5_REVOKE[i]).as("Open MPI 5"));
            }
        }
        if (!four) {
            bar("revoke/4/last, asleep", Limit.constant(100));
            bar("revoke/8/last, asleep", Limit.constant(200));
        }
    }

    /**
     * Adds the bars of non-blocking collectives: of those that are waited for at once, and of those that run beside a
     * computation or a sleep of the same length.
     */
    private void started() {
        bar("started/2/ibarrier", Limit.place(1.3, "started/2/barrier"));
        for (String size : new String[] {"8", "1k"}) {
            bar("started/2/ibcast:" + size, Limit.place(1.3, "started/2/bcast:" + size));
            bar("started/2/ireduce:" + size, Limit.place(1.3, "started/2/reduce-direct:" + size));
            bar("started/2/iallgather:" + size, Limit.place(1.3, "started/2/allgather:" + size));
        }
        for (String size : new String[] {"8", "1k", "64k"}) {
            bar("started/2/iallreduce:" + size, Limit.place(1.3, "started/2/allreduce-direct:" + size));
        }
        double beside = four ? 0.7 : 1.05;
        bar("started/2/iallreduce-compute:4m", Limit.place(beside, "started/2/allreduce-compute:4m"));
        bar("started/2/iallreduce-sleep:4m", Limit.place(0.65, "started/2/allreduce-sleep:4m"));
    }

    private void failures() {
        shrink(2, 26);
        shrink(4, 62);
        shrink(8, 140);
        bar("failure/16/first shrink", Limit.constant(20 * MS));
        for (String heap : new String[] {"64m", "4g"}) {
            for (int ranks : new int[] {2, 4, 8, 16}) {
                double most = four ? (ranks == 16 ? 20 : 10) : ranks == 16 ? 25 : 15;
                bar("failure/" + ranks + "/error after Z, " + heap, Limit.constant(most * MS));
                bar(
                        "failure/" + ranks + "/error after Z, " + heap,
                        Limit.constant(100 * MS).ofNinetyNine().inEveryLaunch());
            }
        }
    }

    private void recoveries() {
        int perCore = four ? 1 : 2;
        bar("recovery/4/stall, spare", Limit.constant(perCore * 100 * MS));
        bar("recovery/4/stall, new process", Limit.constant(perCore * 600 * MS));
        bar("recovery/10/stall, new process", Limit.constant(perCore * 1_000 * MS));
        for (String kind : List.of("", ", long")) {
            String plain = "recovery/4/allreduce:4k" + kind;
            bar(
                    "recovery/4/Rabit.allreduce:4k" + kind,
                    Limit.place(1.1, plain),
                    Limit.place(1, plain).plus(0.5));
        }
    }

    private void rest() {
        bar("ft/2/pp:8", Limit.job(1.05, 0, "none").inEveryLaunch());
        bar("ft/2/pp:1m", Limit.job(1.02, 0, "none").inEveryLaunch());
        bar("processor/2/waiting", Limit.constant(20 * MS));
        if (four) {
            bar("processor/2/progress thread", Limit.constant(5 * MS));
        }
        for (int ranks : new int[] {2, 4, 8, 16}) {
            if (!four || ranks == 4 || ranks == 16) {
                ratio("start/" + ranks + "/hello", 0.8, 1.0);
            }
        }
        for (String call : new String[] {"send", "persistent"}) {
            bar("allocation/2/" + call, Limit.constant(0.5));
        }
        bar("memory/2/hello", Limit.job(1, 30 * 1024, "java"));
    }

    /** Adds the bars against MPJ Express: a bar per cell of the group {@code shm} with 2, 4 and 8 ranks. */
    private void mpjExpress() {
        for (int ranks : new int[] {2, 4, 8}) {
            for (Cell cell : RunPlan.cells(ranks)) {
                double factor = four && cell.bytes() > SHORT_BYTES ? 0.6 : 0.2;
                bar("shm/" + ranks + "/" + cell.name(), Limit.job(factor, 0, "mpj"));
            }
        }
    }

    private void shrink(int ranks, double micros) {
        Limit agreements = Limit.place(10, "agree/" + ranks + "/agree");
        String place = "failure/" + ranks + "/shrink";
        if (four) {
            bar(place, agreements);
        } else {
            bar(place, Limit.constant(micros), agreements);
        }
    }

    private void ratio(String place, double onTwoCores, double onFourCores) {
        bar(place, Limit.openMpi(four ? onFourCores : onTwoCores));
    }

    private void bar(String place, Limit... limits) {
        bars.add(new Bar(place, Arrays.asList(limits)));
    }
}
