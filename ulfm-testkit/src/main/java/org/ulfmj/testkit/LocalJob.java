package org.ulfmj.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntFunction;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.FaultTrigger;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankIdentity;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.RankSettings;
import org.ulfmj.transport.local.LocalHub;

/**
 * One run of a {@link LocalWorld}, and its launcher: it starts the ranks, ends them, and tells the others. Telling is left
 * to a thread of its own, because deaths are noticed under the lock of an engine.
 */
final class LocalJob {
    private static final byte[] SECRET = "ranks are threads of one process".getBytes(StandardCharsets.US_ASCII);
    private static final long GRACE_NS = 5_000_000_000L;

    private final LocalHub hub;
    private final List<LocalRank> ranks = new ArrayList<>();
    private final ExecutorService launcher =
            Executors.newSingleThreadExecutor(task -> daemon(task, "local-world-launcher"));
    private final boolean deathsAreTold;
    private Integer abortCode;

    LocalJob(
            int size,
            RankSettings settings,
            Map<Integer, List<FaultTrigger>> triggers,
            String initialErrorHandler,
            boolean deathsAreTold) {
        this.deathsAreTold = deathsAreTold;
        hub = new LocalHub(size);
        Membership members = Membership.initial(size);
        for (int slot = 0; slot < size; slot++) {
            LocalRank rank = new LocalRank(this, slot);
            RankRuntime runtime = RankRuntime.create(
                    new RankIdentity(ProcessId.of(slot), members, SECRET),
                    hub.fabric(slot),
                    System::nanoTime,
                    settings.withTriggers(triggers.getOrDefault(slot, List.of())),
                    rank);
            rank.bind(runtime, new RankBinding(runtime, initialErrorHandler));
            ranks.add(rank);
            RunningRank.RUNNING.put(runtime, rank);
        }
    }

    LocalRank rank(int slot) {
        if (slot < 0 || slot >= ranks.size()) {
            throw new IllegalArgumentException("rank " + slot + " must be from 0 to " + (ranks.size() - 1));
        }
        return ranks.get(slot);
    }

    LocalResult run(IntFunction<RankMain> mains, long timeoutNs) {
        long deadlineNs = System.nanoTime() + timeoutNs;
        try {
            List<Thread> threads = new ArrayList<>();
            for (LocalRank rank : ranks) {
                RankMain main = mains.apply(rank.slot());
                Thread thread = daemon(() -> rank.run(main), "rank-" + rank.slot());
                threads.add(thread);
                thread.start();
            }
            if (!joinAll(threads, deadlineNs)) {
                String dump = HangDump.of(ranks, threads);
                endAll("the program took too long");
                joinAll(threads, System.nanoTime() + GRACE_NS);
                throw new AssertionError("the program has not ended after " + timeoutNs / 1_000_000 + " ms\n" + dump);
            }
            return result();
        } finally {
            endAll("the program is over");
            launcher.shutdown();
            for (LocalRank rank : ranks) {
                RunningRank.RUNNING.remove(rank.runtime());
            }
        }
    }

    /** The rank is dead from now on; the others get to know. Any thread, also under the lock of an engine. */
    void die(LocalRank dead, RankOutcome outcome) {
        if (!dead.end(outcome)) {
            return;
        }
        hub.kill(dead.slot());
        tell(() -> {
            dead.runtime().kill(new RankKilledError("rank " + dead.slot() + " is dead: " + outcome));
            for (LocalRank other : ranks) {
                if (deathsAreTold && other != dead && !other.hasEnded()) {
                    other.runtime()
                            .onEvidence(
                                    ProcessId.of(dead.slot()),
                                    evidence(other, Evidence.Kind.CERTAIN, "its thread ended: " + outcome));
                }
            }
        });
    }

    /** The rank ended after Finalize: the launcher answers for it from now on. */
    void depart(LocalRank departed, RankOutcome outcome) {
        if (!departed.end(outcome)) {
            return;
        }
        tell(() -> {
            for (LocalRank other : ranks) {
                if (other != departed && !other.hasEnded()) {
                    other.runtime().onDeparted(ProcessId.of(departed.slot()));
                }
            }
        });
    }

    void abort(int code, String reason) {
        synchronized (this) {
            if (abortCode != null) {
                return;
            }
            abortCode = code;
        }
        for (LocalRank rank : ranks) {
            if (rank.end(new RankOutcome(RankEnd.ABORTED, null, reason))) {
                hub.kill(rank.slot());
            }
        }
        tell(() -> {
            for (LocalRank rank : ranks) {
                rank.runtime().kill(new RankKilledError("the job was aborted: " + reason));
            }
        });
    }

    void suspect(LocalRank observer, int slot) {
        observer.runtime()
                .onEvidence(
                        ProcessId.of(slot),
                        evidence(observer, Evidence.Kind.SUSPECTED, "the test says that it is silent"));
    }

    private static Evidence evidence(LocalRank by, Evidence.Kind kind, String reason) {
        return new Evidence(kind, ProcessId.of(by.slot()), reason);
    }

    private void tell(Runnable news) {
        try {
            launcher.execute(news);
        } catch (RejectedExecutionException jobIsOver) {
            // All ranks have ended: there is nobody left to be told.
        }
    }

    private void endAll(String why) {
        for (LocalRank rank : ranks) {
            rank.runtime().kill(new RankKilledError(why));
            hub.kill(rank.slot());
        }
    }

    private LocalResult result() {
        List<RankOutcome> outcomes = new ArrayList<>();
        for (LocalRank rank : ranks) {
            outcomes.add(rank.outcome());
        }
        synchronized (this) {
            return new LocalResult(outcomes, abortCode);
        }
    }

    private static boolean joinAll(List<Thread> threads, long deadlineNs) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000 + 1;
            try {
                if (leftMs > 0) {
                    thread.join(leftMs);
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (thread.isAlive()) {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return false;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
