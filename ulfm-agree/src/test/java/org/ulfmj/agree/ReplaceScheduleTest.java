package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.protocol.ProcessId;

/**
 * Random schedules of replace(). The seed decides which process crashes between which two messages, when each process
 * learns of deaths and newcomers, when replacements are started, and whether the launcher ends. Where no process is
 * suspected falsely, all processes that ever returned into a world or were told of it, dead ones included, hold the
 * same members of it ({@link ReplaceWorld} looks at each). No live member waits for ever, and all live members return
 * alike.
 */
class ReplaceScheduleTest {
    private static final ReplaceTerms STRICT = new ReplaceTerms(true, 3, 1_000_000_000L);
    private static final ReplaceTerms LENIENT = new ReplaceTerms(false, 3, 1_000_000_000L);

    @ParameterizedTest
    @CsvSource({"2,1,4000", "3,1,4000", "3,2,4000", "4,2,2000", "6,2,1000", "9,3,300"})
    void shouldLeaveAllWhoLiveInOneWorldWhenAnythingMayHappen(int size, int calls, int schedules) {
        play(size, calls, 0, schedules);
    }

    @ParameterizedTest
    @CsvSource({"2,1,2000", "3,1,4000", "3,2,3000", "4,1,3000", "5,2,1000"})
    void shouldLeaveAllWhoAreNotExcludedInOneWorldWhenSomeAreWronglyHeldForFailed(int size, int calls, int schedules) {
        play(size, calls, 2, schedules);
    }

    private static void play(int size, int calls, int suspicions, int schedules) {
        for (int seed = 0; seed < schedules; seed++) {
            Schedule schedule = new Schedule(size, calls, suspicions, seed);
            try {
                schedule.run();
            } catch (AssertionError | IllegalStateException e) {
                throw new AssertionError(
                        "seed " + seed + " of " + size + " with " + calls + " calls, " + suspicions + " suspicions", e);
            }
        }
    }

    private static final class Schedule {
        private final Random random;
        private final ReplaceWorld world;
        private final int calls;
        private final ReplaceTerms terms;
        private int crashesLeft;
        private int startsLeft;
        private int suspicionsLeft;
        private final boolean isCertain;
        private boolean launcherUp = true;

        Schedule(int size, int calls, int suspicions, int seed) {
            this.random = new Random(seed);
            this.suspicionsLeft = suspicions;
            this.isCertain = suspicions == 0;
            this.world = new ReplaceWorld(size);
            this.calls = calls;
            this.terms = random.nextInt(3) == 0 ? LENIENT : STRICT;
            this.crashesLeft = random.nextInt(size + 1);
            this.startsLeft = random.nextInt(size + 2);
        }

        void run() {
            while (true) {
                List<Runnable> next = events();
                if (!next.isEmpty()) {
                    next.get(random.nextInt(next.size())).run();
                } else if (isAnyMemberWaiting()) {
                    // No other event is possible, so time passes until the deadlines.
                    world.pass(terms.timeoutNs());
                } else {
                    break;
                }
            }
            judge();
        }

        private List<Runnable> events() {
            List<Runnable> events = new ArrayList<>();
            List<ReplaceWorld.Member> processes = List.copyOf(world.processes());
            for (ReplaceWorld.Member member : processes) {
                for (ReplaceWorld.Member other : processes) {
                    addBetween(member, other, events);
                }
                if (!isCertain && member.isLive() && world.isExcluded(member)) {
                    events.add(() -> world.crash(member)); // it learns that it is excluded
                }
                if (member.isLive() && mayCall(member)) {
                    events.add(() -> world.replace(member, terms));
                }
                if (member.isLive() && member.core.isPending() && random.nextInt(300) == 0) {
                    events.add(() -> world.crash(member)); // a newcomer gives up, which is a death for others
                }
            }
            if (!events.isEmpty() && crashesLeft > 0 && random.nextInt(20) == 0) {
                events.add(this::crashMember);
            }
            if (!events.isEmpty() && suspicionsLeft > 0 && random.nextInt(20) == 0) {
                events.add(this::suspectMember);
            }
            if (launcherUp && random.nextInt(300) == 0) {
                events.add(() -> launcherUp = false);
            }
            if (random.nextInt(500) == 0) {
                events.add(() -> world.pass(terms.timeoutNs()));
            }
            return events;
        }

        private void addBetween(ReplaceWorld.Member from, ReplaceWorld.Member to, List<Runnable> events) {
            if (!world.channel(from.id, to.id).isEmpty()) {
                events.add(() -> world.deliver(from.id, to.id));
            }
            if (world.hasNewsOfDeath(to, from)) {
                events.add(() -> world.tellDeath(to, from));
            }
            if (launcherUp && from.id.incarnation() > 0 && to.isLive() && !to.heardOf.contains(from.id)) {
                events.add(() -> world.announce(from, to));
            }
            if (launcherUp && from == to && startsLeft > 0 && !from.isLive() && world.holder(from.id.slot()) == from) {
                events.add(() -> {
                    startsLeft--;
                    world.start(from.id.slot());
                });
            }
        }

        /** Crashes a random process, now or at a later one of its sends, if more than one process lives. */
        private void crashMember() {
            List<ReplaceWorld.Member> live = world.live();
            if (live.size() > 1) {
                ReplaceWorld.Member victim = live.get(random.nextInt(live.size()));
                crashesLeft--;
                if (random.nextBoolean()) {
                    world.crash(victim);
                } else {
                    world.crashAfterSends(victim, random.nextInt(12));
                }
            }
        }

        private void suspectMember() {
            List<ReplaceWorld.Member> live = world.live();
            live.removeIf(member -> member.core.isPending());
            if (live.size() > 1) {
                ReplaceWorld.Member observer = live.get(random.nextInt(live.size()));
                ReplaceWorld.Member suspected = live.get(random.nextInt(live.size()));
                if (observer != suspected && observer.core.membership().contains(suspected.id)) {
                    suspicionsLeft--;
                    world.suspect(observer, suspected);
                }
            }
        }

        private boolean mayCall(ReplaceWorld.Member member) {
            return !member.core.isPending() && !isCalling(member) && epoch(member) < calls && !hasGivenUp(member);
        }

        private static long epoch(ReplaceWorld.Member member) {
            return member.core.membership().epoch();
        }

        private static boolean isCalling(ReplaceWorld.Member member) {
            return member.core.changeAgreement() > 0;
        }

        private static boolean hasGivenUp(ReplaceWorld.Member member) {
            return !member.outcomes.isEmpty()
                    && !(member.outcomes.get(member.outcomes.size() - 1) instanceof ChangeOutcome.Admitted);
        }

        private boolean isAnyMemberWaiting() {
            return world.live().stream()
                    .anyMatch(member -> !member.core.awaitedSlots().isEmpty());
        }

        private void judge() {
            long last = 0;
            boolean gaveUp = false;
            for (ReplaceWorld.Member member : world.live()) {
                if (!member.core.isPending()) {
                    last = Math.max(last, epoch(member));
                    gaveUp |= hasGivenUp(member);
                }
            }
            Admission world = null;
            for (ReplaceWorld.Member member : this.world.live()) {
                world = !member.core.isPending() && epoch(member) == last && last > 0 ? member.admission : world;
            }
            Object outcome = null;
            for (ReplaceWorld.Member member : this.world.live()) {
                if (member.core.isPending()) {
                    require(world == null || !isIn(world, member.id), member, "was admitted and never told");
                    continue;
                }
                require(member.fencedBecause == null, member, "fenced itself");
                require(epoch(member) == last, member, "is not in epoch " + last);
                require(last == 0 || member.admission.equals(world), member, "is not in " + world);
                require(last == calls || gaveUp && hasGivenUp(member), member, "waits for ever");
                if (gaveUp) {
                    ChangeOutcome.Incomplete mine =
                            (ChangeOutcome.Incomplete) member.outcomes.get(member.outcomes.size() - 1);
                    require(outcome == null || outcome.equals(mine.missing()), member, "misses other slots");
                    outcome = mine.missing();
                }
            }
            for (ReplaceWorld.Member member : this.world.processes()) {
                require(!isCertain || member.fencedBecause == null, member, "fenced itself: " + member.fencedBecause);
            }
        }

        private static boolean isIn(Admission world, ProcessId process) {
            Contact member = world.members().get(process.slot());
            return member != null && member.process().equals(process);
        }

        private static void require(boolean holds, ReplaceWorld.Member member, String broken) {
            if (!holds) {
                throw new AssertionError("process " + member.id + " " + broken + ": " + member);
            }
        }
    }
}
