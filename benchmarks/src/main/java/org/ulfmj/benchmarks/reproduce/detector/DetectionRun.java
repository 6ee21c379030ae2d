package org.ulfmj.benchmarks.reproduce.detector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.agree.Effects;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.benchmarks.reproduce.LogPWorld;
import org.ulfmj.benchmarks.reproduce.Network;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.SeededRandom;

/**
 * A world in which some ranks die at one instant, and only their silence shows it. Measured is the time until every
 * survivor has marked all of them failed. Each rank is a shipped {@link SurvivorCore}, with its heartbeat ring and its
 * obituaries.
 *
 * <p>An obituary that would reach its receiver no sooner than one that was sent to it before, of the same dead rank, is
 * charged to its sender and counted, but not delivered, as its receiver would drop it. The receiver's time for it is
 * left out.
 */
final class DetectionRun {
    private static final long SECOND_NS = 1_000_000_000;

    private final int size;
    private final int[] dying;
    private final Timing timing;
    private final LogP costs;
    private final LogPWorld<ControlMessage> world;
    private final List<Rank> ranks = new ArrayList<>();

    /**
     * Per dying rank and receiver, when the soonest of the obituaries of the dying rank that were sent to the receiver
     * so far arrives; infinite until one has been sent.
     */
    private final double[][] obituaryNs;

    private int unaware;
    private double knownByAllNs;
    private long obituaries;

    private DetectionRun(int size, int[] dying, Timing timing, LogP costs) {
        this.size = size;
        this.dying = dying.clone();
        Arrays.sort(this.dying);
        this.timing = timing;
        this.costs = costs;
        this.unaware = size - dying.length;
        this.world = new LogPWorld<>(size, Network.uniform(costs), message -> 0, (to, from, message) -> ranks.get(to)
                .receive(from, message));
        this.obituaryNs = new double[dying.length][size];
        for (double[] row : obituaryNs) {
            Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
    }

    /**
     * @param dying ranks that die together; at least one rank must be left
     * @param phases draws when in the first heartbeat period each rank starts
     */
    static Detection of(int size, int[] dying, Timing timing, LogP costs, SeededRandom phases) {
        DetectionRun run = new DetectionRun(size, dying, timing, costs);
        double deathNs = run.start(phases);
        run.world.run();
        if (run.unaware > 0) {
            throw new IllegalStateException(run.unaware + " survivors never heard of all failures");
        }
        return new Detection(size, dying.length, run.knownByAllNs - deathNs, run.obituaries);
    }

    /**
     * Schedules the start of all ranks within the first heartbeat period, and the deaths of the dying ones after three
     * periods. Returns the time of the deaths.
     */
    private double start(SeededRandom phases) {
        Membership membership = Membership.initial(size);
        long periodNs = timing.heartbeatPeriodNs();
        for (int slot = 0; slot < size; slot++) {
            long startNs = phases.between(0, periodNs - 1);
            Rank rank = new Rank(slot, membership, startNs);
            ranks.add(rank);
            world.at(startNs, slot, rank::start);
        }
        double deathNs = 3.0 * periodNs;
        for (int slot : dying) {
            world.at(deathNs, slot, world::kill);
        }
        return deathNs;
    }

    private final class Rank implements Effects {
        private final ProcessId me;
        private final SurvivorCore core;
        private final List<ProcessId> silent = new ArrayList<>();

        /** The time for which the next {@link #call} is scheduled; infinite if none was scheduled since the last. */
        private double calledNs = Double.POSITIVE_INFINITY;

        Rank(int slot, Membership membership, long startNs) {
            this.me = membership.process(slot);
            // The core is told that it began long ago, so that the extra patience for processes that start at different
            // times is over: the steady state is measured.
            long began = startNs - timing.detectorTimeoutNs() - SECOND_NS - (long) (Math.log(size) * SECOND_NS);
            this.core = new SurvivorCore(me, membership, timing, this, began);
        }

        void start(int slot) {
            core.start(nowNs(), this::send);
            callWhenDue();
        }

        void receive(int from, ControlMessage message) {
            if (unaware > 0) {
                core.onMessage(new ProcessId(from, 0), message, nowNs(), this::send);
                callWhenDue();
            }
        }

        private void call(int slot) {
            calledNs = Double.POSITIVE_INFINITY;
            if (unaware > 0) {
                if (core.nextDeadlineNs() <= nowNs()) {
                    core.onTick(nowNs(), this::send);
                    markSilent();
                }
                callWhenDue();
            }
        }

        /**
         * Marks as failed the processes that this rank's core reported silent. The measured detector is one that marks
         * on suspicion, as that of the publication does.
         */
        private void markSilent() {
            for (ProcessId process : silent) {
                Evidence silence = new Evidence(Evidence.Kind.SUSPECTED, me, "silent");
                core.onEvidence(process, silence, nowNs(), this::send);
            }
            silent.clear();
        }

        private void callWhenDue() {
            long deadlineNs = core.nextDeadlineNs();
            if (deadlineNs < calledNs) {
                calledNs = deadlineNs;
                world.at(deadlineNs, me.slot(), this::call);
            }
        }

        private long nowNs() {
            return (long) world.nowNs();
        }

        private void send(ProcessId to, ControlMessage message) {
            if (message instanceof ControlMessage.Detector detector
                    && detector.message() instanceof DetectorMessage.Obituary obituary) {
                obituaries++;
                double[] receivedNs = obituaryNs[numberOf(obituary.failed())];
                double arrivesNs = world.nowNs() + costs.hopNs();
                if (arrivesNs >= receivedNs[to.slot()]) {
                    world.compute(costs.overheadNs());
                    return;
                }
                receivedNs[to.slot()] = arrivesNs;
            }
            world.send(to.slot(), message);
        }

        private int numberOf(ProcessId failed) {
            int number = Arrays.binarySearch(dying, failed.slot());
            if (number < 0) {
                throw new IllegalStateException("rank " + me + " holds " + failed + " for failed, which is alive");
            }
            return number;
        }

        @Override
        public void failed(ProcessId process, Evidence evidence) {
            numberOf(process);
            if (core.failures().failedInOrder().size() == dying.length) {
                unaware--;
                knownByAllNs = Math.max(knownByAllNs, world.nowNs());
            }
        }

        @Override
        public void silent(ProcessId process) {
            silent.add(process);
        }

        @Override
        public void heard(ProcessId process) {
            throw new IllegalStateException("process " + process + " was marked for its silence, and beats");
        }

        @Override
        public void drain(ProcessId process) {
            throw new IllegalStateException("no rank is certain of a death here, but " + me + " of " + process);
        }

        @Override
        public void departed(ProcessId process) {
            throw new IllegalStateException("no rank leaves here, but " + process);
        }

        @Override
        public void revoked(long communicator) {
            throw new IllegalStateException("nothing is revoked here");
        }

        @Override
        public void decided(long communicator, long sequence, Decision decision) {
            throw new IllegalStateException("nothing is agreed on here");
        }

        @Override
        public void fenced(String why) {
            throw new IllegalStateException("rank " + me + " is fenced: " + why);
        }

        @Override
        public List<ProcessId> peersWithSession() {
            return List.of();
        }
    }
}
