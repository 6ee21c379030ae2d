package org.ulfmj.check.epoch;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * The rules B1 to B7 of the ring over membership epochs, an invariant each, and the properties that follow from these
 * rules.
 */
final class EpochInvariants {
    private EpochInvariants() {}

    static void require(Simulation simulation, EpochWorld world, boolean noneIsSuspected) {
        simulation.must(new EveryoneListensToTheNearest(world));
        simulation.must(new TheFormerEmitterIsReleasedFirst(world));
        simulation.must(new WhoAsksIsHeard(world));
        simulation.must(new WhoTakesItBackIsLeftAlone(world));
        simulation.must(new AnEpochKeepsTheObservers(world));
        simulation.must(new StraysAreReleased(world));
        simulation.must(new TheStartNeedsNoRequest(world));
        simulation.must(new AHealthyEmitterBeats(world));
        simulation.must(new TheLastEpochIsOneCycle(world));
        simulation.must(new TheReplacedAndTheDeadAreKnown(world));
        simulation.must(new TheExcludedOfAnyEpochEnd(world));
        if (noneIsSuspected) {
            simulation.must(new NoHealthyMemberIsSuspected(world));
        }
    }

    /** An invariant that is checked after each step of a process that still runs then. */
    private abstract static class StepCheck implements Invariant {
        private final EpochWorld world;

        StepCheck(EpochWorld world) {
            this.world = world;
        }

        @Override
        public final void afterStep(SimProcess<?, ?> process) {
            EpochMember member = world.at(process.node());
            if (!member.isRunning()) {
                return;
            }
            String wrong = wrongWith(member, member.step());
            if (wrong != null) {
                throw new Violation(name() + ": " + member + " in " + member.epoch() + ": " + wrong);
            }
        }

        final EpochWorld world() {
            return world;
        }

        abstract String wrongWith(EpochMember member, EpochStep step);
    }

    /**
     * B1: the emitter of a rank is the nearest predecessor in its epoch that the rank has not marked failed or
     * departed.
     */
    private static final class EveryoneListensToTheNearest extends StepCheck {
        EveryoneListensToTheNearest(EpochWorld world) {
            super(world);
        }

        @Override
        String wrongWith(EpochMember member, EpochStep step) {
            ProcessId nearest = nearest(member);
            ProcessId emitter = member.ring().emitter();
            boolean isRight = nearest == null ? emitter == null : nearest.equals(emitter);
            return isRight ? null : "it listens to " + emitter + ", the nearest is " + nearest;
        }

        private static ProcessId nearest(EpochMember member) {
            Membership epoch = member.epoch();
            if (!epoch.contains(member.id())) {
                return null;
            }
            for (int distance = 1; distance < epoch.size(); distance++) {
                ProcessId candidate = epoch.process(Math.floorMod(member.id().slot() - distance, epoch.size()));
                if (!member.failures().isGone(candidate)) {
                    return candidate;
                }
            }
            return null;
        }
    }

    /**
     * B2: a rank that changes its emitter in a step other than its start sends UNOBSERVE to the former one, unless it
     * knows that to be gone, and only then OBSERVE to the new one.
     */
    private static final class TheFormerEmitterIsReleasedFirst extends StepCheck {
        TheFormerEmitterIsReleasedFirst(EpochWorld world) {
            super(world);
        }

        @Override
        String wrongWith(EpochMember member, EpochStep step) {
            ProcessId former = step.emitterBefore();
            ProcessId now = member.ring().emitter();
            if (former == now || former != null && former.equals(now) || step.about() == EpochStep.About.START) {
                return null;
            }
            int asked = now == null ? Integer.MAX_VALUE : step.indexOf(now, DetectorMessage.Observe.class);
            if (asked < 0) {
                return "it now listens to " + now + " and has not asked it";
            }
            if (former == null || member.failures().isGone(former)) {
                return null;
            }
            int released = step.indexOf(former, DetectorMessage.Unobserve.class);
            return released >= 0 && released < asked
                    ? null
                    : "it did not release " + former + " before it asked " + now;
        }
    }

    /**
     * B3: a rank that takes a request for heartbeats from a process, member or not, in any epoch, sends it one in the
     * same step, unless it knows that process to be gone. If the request was an OBSERVE, the process is an observer
     * after the step.
     */
    private static final class WhoAsksIsHeard extends StepCheck {
        WhoAsksIsHeard(EpochWorld world) {
            super(world);
        }

        @Override
        String wrongWith(EpochMember member, EpochStep step) {
            ProcessId asker = step.from();
            boolean isAsked =
                    step.taken() instanceof DetectorMessage.Observe || step.taken() instanceof DetectorMessage.Probe;
            if (!isAsked || member.failures().isGone(asker)) {
                return null;
            }
            if (step.indexOf(asker, DetectorMessage.Heartbeat.class) < 0) {
                return "it does not beat for " + asker + ", which asked";
            }
            boolean observes = step.taken() instanceof DetectorMessage.Probe
                    || member.ring().observers().contains(asker);
            return observes ? null : "it will not beat for " + asker + " any more, which asked";
        }
    }

    /** B4: a process is no observer of the rank after a step that takes its UNOBSERVE, or once it is marked failed. */
    private static final class WhoTakesItBackIsLeftAlone extends StepCheck {
        WhoTakesItBackIsLeftAlone(EpochWorld world) {
            super(world);
        }

        @Override
        String wrongWith(EpochMember member, EpochStep step) {
            if (step.taken() instanceof DetectorMessage.Unobserve
                    && member.ring().observers().contains(step.from())) {
                return "it goes on beating for " + step.from();
            }
            for (ProcessId observer : member.ring().observers()) {
                if (member.failures().hasFailed(observer)) {
                    return "it beats for " + observer + ", which it holds for failed";
                }
            }
            return null;
        }
    }

    /** B5: a rank that enters an epoch keeps all its observers but those that it knows to be gone, and adds none. */
    private static final class AnEpochKeepsTheObservers extends StepCheck {
        AnEpochKeepsTheObservers(EpochWorld world) {
            super(world);
        }

        @Override
        String wrongWith(EpochMember member, EpochStep step) {
            if (step.observersBefore() == null) {
                return null;
            }
            SortedSet<ProcessId> kept = new TreeSet<>(step.observersBefore());
            kept.removeIf(member.failures()::isGone);
            return kept.equals(member.ring().observers())
                    ? null
                    : "entering it changed its observers " + kept + " to "
                            + member.ring().observers();
        }
    }

    /**
     * B6: if a process sends heartbeats to a rank that does not listen to it, the rank sends it UNOBSERVE at the latest
     * when it takes the fourth heartbeat for which it did not ask. A message of the rank to that process, other than a
     * heartbeat or a probe, begins a new count.
     */
    private static final class StraysAreReleased extends StepCheck {
        private static final int FEW = 3;

        private final SortedMap<ProcessId, SortedMap<ProcessId, Integer>> strays = new TreeMap<>();

        StraysAreReleased(EpochWorld world) {
            super(world);
        }

        @Override
        String wrongWith(EpochMember member, EpochStep step) {
            SortedMap<ProcessId, Integer> mine = strays.computeIfAbsent(member.id(), id -> new TreeMap<>());
            for (EpochStep.Said said : step.said()) {
                if (said.message() instanceof DetectorMessage.Probe) {
                    mine.merge(said.to(), -1, Integer::sum);
                } else if (!(said.message() instanceof DetectorMessage.Heartbeat)) {
                    // Any message that the rank sends to that process, other than a heartbeat or a probe, sets the
                    // count back to 0. A count below 0 stays: it stands for probes that were sent, each of which is
                    // still answered by a heartbeat.
                    mine.computeIfPresent(said.to(), (to, beats) -> Math.min(beats, 0));
                }
            }
            ProcessId from = step.from();
            if (!(step.taken() instanceof DetectorMessage.Heartbeat)
                    || member.failures().isGone(from)
                    || from.equals(member.ring().emitter())
                    || step.indexOf(from, DetectorMessage.Unobserve.class) >= 0) {
                return null;
            }
            int beats = mine.merge(from, 1, Integer::sum);
            return beats <= FEW ? null : beats + " beats of " + from + " that it did not ask for, and it says nothing";
        }
    }

    /**
     * B7: after its start a member has an emitter and one observer, and a newcomer has neither; neither of them has
     * sent a message other than a heartbeat. Processes that have marked another one failed are not checked.
     */
    private static final class TheStartNeedsNoRequest extends StepCheck {
        TheStartNeedsNoRequest(EpochWorld world) {
            super(world);
        }

        @Override
        String wrongWith(EpochMember member, EpochStep step) {
            if (step.about() != EpochStep.About.START
                    || member.failures().failedInOrder().size() > 0) {
                return null;
            }
            boolean isNewcomer = !member.isAdmitted();
            int expected = isNewcomer ? 0 : 1;
            if (member.ring().observers().size() != expected || (member.ring().emitter() == null) != isNewcomer) {
                return "it begins with emitter " + member.ring().emitter() + " and observers "
                        + member.ring().observers();
            }
            for (EpochStep.Said said : step.said()) {
                if (!(said.message() instanceof DetectorMessage.Heartbeat)) {
                    return "it begins with " + said;
                }
            }
            return null;
        }
    }

    /**
     * The purpose of the rules: if a running process listens to a running emitter, it is an observer of the emitter, or
     * its request is on its way. That holds after each step of either, however far apart the two processes enter an
     * epoch. Exceptions are an emitter that has made no step yet, and one that has marked the listener failed.
     */
    private static final class AHealthyEmitterBeats extends StepCheck {
        private final Map<ProcessId, SortedMap<ProcessId, Integer>> requests = new TreeMap<>();

        AHealthyEmitterBeats(EpochWorld world) {
            super(world);
        }

        @Override
        String wrongWith(EpochMember member, EpochStep step) {
            for (EpochStep.Said said : step.said()) {
                if (said.message() instanceof DetectorMessage.Observe) {
                    requests.computeIfAbsent(said.to(), id -> new TreeMap<>()).merge(member.id(), 1, Integer::sum);
                }
            }
            if (step.taken() instanceof DetectorMessage.Observe) {
                requests.computeIfAbsent(member.id(), id -> new TreeMap<>()).merge(step.from(), -1, Integer::sum);
            }
            String wrong = silent(member);
            for (EpochMember other : world().all()) {
                boolean listensHere = member.id().equals(other.ring().emitter());
                wrong = wrong == null && listensHere ? silent(other) : wrong;
            }
            return wrong;
        }

        private String silent(EpochMember listener) {
            ProcessId emitter = listener.ring().emitter();
            if (emitter == null) {
                return null;
            }
            EpochMember beating = world().of(emitter);
            boolean isFine = !beating.isRunning()
                    || beating.step() == null
                    || !listener.isRunning()
                    || beating.failures().hasFailed(listener.id())
                    || beating.ring().observers().contains(listener.id())
                    || requests.getOrDefault(emitter, new TreeMap<>()).getOrDefault(listener.id(), 0) > 0;
            return isFine ? null : beating + " does not beat for " + listener + ", and is not going to be asked";
        }
    }

    /**
     * At rest the ring of the last epoch is one cycle over those members that run, and no member sends heartbeats to
     * any process but its successor.
     */
    private record TheLastEpochIsOneCycle(EpochWorld world) implements Invariant {
        @Override
        public String open() {
            if (!world.isSettled()) {
                return "a member has not entered the last epoch";
            }
            List<EpochMember> ring = world.running();
            for (int i = 0; i < ring.size(); i++) {
                EpochMember member = ring.get(i);
                SortedSet<ProcessId> observers = new TreeSet<>();
                ProcessId emitter = null;
                if (ring.size() > 1) {
                    emitter = ring.get((i + ring.size() - 1) % ring.size()).id();
                    observers.add(ring.get((i + 1) % ring.size()).id());
                }
                boolean listens = emitter == null
                        ? member.ring().emitter() == null
                        : emitter.equals(member.ring().emitter());
                if (!listens || !observers.equals(member.ring().observers())) {
                    return member + " listens to " + member.ring().emitter() + " and beats for "
                            + member.ring().observers() + " instead of " + emitter + " and " + observers;
                }
            }
            return null;
        }
    }

    /**
     * Completeness over epochs: every process that was ever admitted and has ended is marked failed by all running
     * members of the last epoch.
     */
    private record TheReplacedAndTheDeadAreKnown(EpochWorld world) implements Invariant {
        @Override
        public String open() {
            List<EpochMember> running = world.running();
            for (EpochMember ended : world.all()) {
                if (ended.isRunning() || !world.wasAdmitted(ended.id())) {
                    continue;
                }
                for (EpochMember member : running) {
                    if (!member.failures().hasFailed(ended.id())) {
                        return member + " does not know of the end of " + ended;
                    }
                }
            }
            return null;
        }
    }

    /** At rest no process runs that a running member of the last epoch has marked failed. */
    private record TheExcludedOfAnyEpochEnd(EpochWorld world) implements Invariant {
        @Override
        public String open() {
            for (EpochMember member : world.running()) {
                for (ProcessId failed : member.failures().failedInOrder()) {
                    if (world.of(failed).isRunning()) {
                        return world.of(failed) + " runs, but " + member + " holds it for failed";
                    }
                }
            }
            return null;
        }
    }

    /**
     * Accuracy: in schedules without an injected suspicion, in which no process stands still for long, no running
     * process is marked failed in any epoch.
     */
    private static final class NoHealthyMemberIsSuspected extends StepCheck {
        private final SortedMap<ProcessId, Integer> seen = new TreeMap<>();

        NoHealthyMemberIsSuspected(EpochWorld world) {
            super(world);
        }

        @Override
        String wrongWith(EpochMember member, EpochStep step) {
            List<ProcessId> failed = member.failures().failedInOrder();
            int from = seen.getOrDefault(member.id(), 0);
            for (ProcessId marked : failed.subList(from, failed.size())) {
                if (world().of(marked).isRunning()) {
                    return "it holds running " + marked + " for failed";
                }
            }
            if (failed.size() > from) {
                seen.put(member.id(), failed.size());
            }
            return null;
        }
    }
}
