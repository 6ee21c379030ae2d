package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/**
 * Random schedules of one event. Processes crash at any point, also between two sends of one step; messages of a dead
 * process are delivered only to members that do not know of its death yet; all live members learn of every death in the
 * end, in any order. The first test checks that if a live process holds the event in the end, all live members do, and
 * that no member sends it twice to the same one.
 */
class BroadcastScheduleTest {
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldReachAllLiveMembersUnderAnyCrashes(int size) {
        for (int seed = 0; seed < 4_000; seed++) {
            Schedule schedule = new Schedule(size, seed, true);
            assertThat(schedule.run()).as("size %d, seed %d", size, seed).isTrue();
            assertThat(schedule.mostSendsOnOneWay)
                    .as("size %d, seed %d", size, seed)
                    .isLessThanOrEqualTo(1);
        }
    }

    /**
     * Shows that the search can find faults: without the replay to new neighbours it finds members that are cut off.
     */
    @ParameterizedTest
    @ValueSource(ints = {8, 9, 10})
    void shouldFindTheCutWhenNothingIsReplayed(int size) {
        int cut = 0;
        for (int seed = 0; seed < 40_000 && cut == 0; seed++) {
            cut += new Schedule(size, seed, false).run() ? 0 : 1;
        }
        assertThat(cut).isPositive();
    }

    private static final class Schedule {
        final int size;
        final boolean replay;
        final Random random;
        final Member[] members;
        final List<Deque<ReliableBroadcastTest.Note>> ways = new ArrayList<>();
        int crashesLeft;
        int mostSendsOnOneWay;

        Schedule(int size, long seed, boolean replay) {
            this.size = size;
            this.replay = replay;
            random = new Random(seed);
            crashesLeft = random.nextInt(size);
            members = new Member[size];
            for (int slot = 0; slot < size; slot++) {
                members[slot] = new Member(this, slot);
                for (int to = 0; to < size; to++) {
                    ways.add(new ArrayDeque<>());
                }
            }
        }

        /** Whether, once no message and no news is left to deliver, all live members hold the event or none does. */
        boolean run() {
            members[random.nextInt(size)].begin();
            for (List<Runnable> moves = moves(); !moves.isEmpty(); moves = moves()) {
                if (mayCrash(8)) {
                    crash(members[random.nextInt(size)]);
                } else {
                    moves.get(random.nextInt(moves.size())).run();
                }
            }
            long live = 0;
            long holders = 0;
            for (Member member : members) {
                live += member.alive ? 1 : 0;
                holders += member.alive && member.broadcast.holds("event") ? 1 : 0;
            }
            return holders == 0 || holders == live;
        }

        private List<Runnable> moves() {
            List<Runnable> moves = new ArrayList<>();
            for (Member member : members) {
                if (member.alive) {
                    member.addMoves(moves);
                }
            }
            return moves;
        }

        boolean mayCrash(int oneIn) {
            return crashesLeft > 0 && random.nextInt(oneIn) == 0;
        }

        void crash(Member member) {
            if (member.alive) {
                member.alive = false;
                crashesLeft--;
            }
        }
    }

    private static final class Member implements Outbox<ProcessId, ReliableBroadcastTest.Note> {
        final Schedule schedule;
        final int slot;
        final FailureSet failures = new FailureSet();
        final ReliableBroadcast<ReliableBroadcastTest.Note> broadcast;
        final int[] sends;
        boolean alive = true;

        Member(Schedule schedule, int slot) {
            this.schedule = schedule;
            this.slot = slot;
            sends = new int[schedule.size];
            broadcast = new ReliableBroadcast<>(ProcessId.of(slot), Membership.initial(schedule.size), failures);
        }

        void begin() {
            broadcast.spread(new ReliableBroadcastTest.Note("event", SlotRuns.range(schedule.size), slot), this);
        }

        @Override
        public void send(ProcessId to, ReliableBroadcastTest.Note note) {
            if (alive && schedule.mayCrash(10)) {
                schedule.crash(this);
            }
            if (alive) {
                schedule.ways.get(slot * schedule.size + to.slot()).add(note);
                schedule.mostSendsOnOneWay = Math.max(schedule.mostSendsOnOneWay, ++sends[to.slot()]);
            }
        }

        void addMoves(List<Runnable> moves) {
            for (Member other : schedule.members) {
                Deque<ReliableBroadcastTest.Note> way = schedule.ways.get(other.slot * schedule.size + slot);
                boolean known = failures.hasFailed(ProcessId.of(other.slot));
                if (!known && !way.isEmpty()) {
                    moves.add(() -> broadcast.spread(way.remove(), this));
                }
                if (!known && !other.alive) {
                    moves.add(() -> learn(other));
                }
            }
        }

        private void learn(Member dead) {
            Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(slot), "crashed");
            failures.markFailed(ProcessId.of(dead.slot), evidence, 0);
            if (schedule.replay) {
                broadcast.onGone(ProcessId.of(dead.slot), this);
            }
        }
    }
}
