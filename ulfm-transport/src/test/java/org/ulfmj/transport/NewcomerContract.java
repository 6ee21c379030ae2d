package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

/** What every medium promises of a process that takes over the slot of one that has failed. */
public abstract class NewcomerContract extends MediumTest {
    private static final int RANKS = 4;
    private static final int LAST = RANKS - 1;
    private static final ProcessId OLD = ProcessId.of(LAST);
    private static final ProcessId NEW = new ProcessId(LAST, 1);
    private static final LaneKind[] KINDS = LaneKind.values();

    private void startAndMeet() {
        start(RANKS);
        everybodyMeets();
    }

    /**
     * Lets each rank send to each other rank on both lanes, and checks that all of it arrives, from the processes that
     * have the slots now.
     */
    private void everybodyMeets() {
        for (int slot = 0; slot < RANKS; slot++) {
            received(slot).frames.clear();
        }
        int frames = 5;
        for (int from = 0; from < RANKS; from++) {
            for (int to = 0; to < RANKS; to++) {
                for (int i = 0; i < frames && to != from; i++) {
                    send(from, record(to).id(), i);
                }
            }
        }
        int[] all = {0, 1, 2, 3};
        pollUntil(() -> haveAll(frames * KINDS.length * (RANKS - 1), all), all);
        for (int slot = 0; slot < RANKS; slot++) {
            assertThat(received(slot).frames).as("at rank %d", slot).hasSize(frames * KINDS.length * (RANKS - 1));
            for (int from = 0; from < RANKS; from++) {
                for (LaneKind kind : KINDS) {
                    assertThat(sequences(slot, record(from).id(), kind))
                            .as("rank %d from %s by %s", slot, record(from).id(), kind)
                            .isEqualTo(from == slot ? List.of() : List.of(0, 1, 2, 3, 4));
                }
            }
        }
    }

    private boolean haveAll(int frames, int... slots) {
        for (int slot : slots) {
            if (received(slot).frames.size() < frames) {
                return false;
            }
        }
        return true;
    }

    private void send(int from, ProcessId to, int number) {
        for (LaneKind kind : KINDS) {
            offerPatiently(from, to, kind, Frames.numbered(number, Frames.bytes(100 * number, number)));
        }
    }

    private List<Integer> sequences(int slot, ProcessId from, LaneKind kind) {
        List<Integer> sequences = new ArrayList<>();
        for (Received.Item item : items(slot, kind)) {
            if (item.from().equals(from)) {
                sequences.add(item.sequence());
            }
        }
        return sequences;
    }

    private void bury(ProcessId dead) {
        kill(dead.slot());
        for (int slot = 0; slot < RANKS; slot++) {
            if (slot != dead.slot()) {
                int me = slot;
                fabric(slot).drain(dead);
                pollUntil(() -> received(me).events.contains("drained " + dead), me);
                fabric(slot).abandon(dead);
            }
        }
    }

    private void admitEverywhere(MemberRecord newcomer) {
        for (int slot = 0; slot < RANKS; slot++) {
            fabric(slot).admit(newcomer);
        }
    }

    private void pollAWhile(int... slots) {
        for (int i = 0; i < 200; i++) {
            for (int slot : slots) {
                poll(slot);
            }
            Thread.yield();
        }
    }

    @Test
    void shouldCarryFramesBetweenANewcomerAndEverybody() {
        startAndMeet();
        bury(OLD);
        admitEverywhere(succeed(LAST));

        everybodyMeets();
        for (int slot = 0; slot < LAST; slot++) {
            assertThat(received(slot).events).containsExactly("drained 3");
            assertThat(fabric(slot).connected()).contains(NEW).doesNotContain(OLD);
        }
        assertThat(received(LAST).events).isEmpty();
    }

    @Test
    void shouldHoldWhatANewcomerSendsUntilItIsAdmittedAndThenHandItOverInOrder() {
        startAndMeet();
        bury(OLD);
        MemberRecord newcomer = succeed(LAST);
        received(0).frames.clear();
        for (int i = 0; i < 20; i++) {
            send(LAST, ZERO, i);
        }
        pollAWhile(0, 1, LAST);
        assertThat(received(0).frames).isEmpty();
        assertThat(fabric(0).connected()).doesNotContain(NEW);

        send(1, ZERO, 7);
        pollUntil(() -> received(0).frames.size() == 2, 0, 1, LAST);
        assertThat(received(0).frames).as("others are not held up").allMatch(item -> item.from()
                .equals(ONE));

        admitEverywhere(newcomer);
        pollUntil(() -> received(0).frames.size() == 42, 0, LAST);
        for (LaneKind kind : KINDS) {
            assertThat(sequences(0, NEW, kind)).hasSize(20).isSorted();
        }
        assertThat(received(0).events).containsExactly("drained 3");
        assertThat(received(LAST).events).isEmpty();
        everybodyMeets();
    }

    @Test
    void shouldHandOverWhatTheDeadHadSentBeforeAnythingOfItsSuccessor() {
        start(RANKS);
        send(LAST, ZERO, 0);
        pollUntil(() -> received(0).frames.size() == 2, 0, LAST);
        for (int i = 1; i < 5; i++) {
            send(LAST, ZERO, i);
        }
        kill(LAST);
        MemberRecord newcomer = succeed(LAST);
        for (int i = 5; i < 9; i++) {
            send(LAST, ZERO, i);
        }
        fabric(0).drain(OLD);
        pollUntil(() -> received(0).events.contains("drained 3"), 0, LAST);
        for (LaneKind kind : KINDS) {
            assertThat(sequences(0, OLD, kind)).containsExactly(0, 1, 2, 3, 4);
        }
        assertThat(received(0).frames).hasSize(10);

        admitEverywhere(newcomer);
        pollUntil(() -> received(0).frames.size() == 18, 0, LAST);
        for (LaneKind kind : KINDS) {
            assertThat(sequences(0, NEW, kind)).containsExactly(5, 6, 7, 8);
        }
    }

    @Test
    void shouldHandOverNothingOfTheOldOneOnceItsSuccessorIsAdmitted() {
        startAndMeet();
        for (int i = 0; i < 5; i++) {
            send(LAST, ZERO, i);
        }
        kill(LAST);
        received(0).frames.clear();
        admitEverywhere(succeed(LAST));
        everybodyMeets();

        assertThat(received(0).events).isEmpty();
    }

    /** A process that still runs and sends after its slot was given to a successor. */
    @Test
    void shouldNotHearTheExcludedWhoseSlotHasASuccessor() {
        startAndMeet();
        Fabric zombie = fabric(LAST);
        Received atZombie = received(LAST);
        MemberRecord newcomer = succeed(LAST);
        admitEverywhere(newcomer);
        for (int slot = 0; slot < LAST; slot++) {
            received(slot).frames.clear();
            for (LaneKind kind : KINDS) {
                zombie.offer(ProcessId.of(slot), kind, Frames.numbered(66));
            }
        }
        pollUntil(
                () -> {
                    zombie.pollWithSeat(atZombie);
                    return atZombie.events.size() == LAST;
                },
                0,
                1,
                2,
                LAST);
        pollAWhile(0, 1, 2);

        assertThat(atZombie.events).containsExactlyInAnyOrder("excluded 0", "excluded 1", "excluded 2");
        for (int slot = 0; slot < LAST; slot++) {
            assertThat(received(slot).frames).isEmpty();
        }
        everybodyMeets();
        zombie.close();
    }

    @Test
    void shouldFinishADrainThatANewcomerInterrupts() {
        startAndMeet();
        send(LAST, ZERO, 5);
        kill(LAST);
        for (int slot = 0; slot < LAST; slot++) {
            fabric(slot).drain(OLD);
        }
        admitEverywhere(succeed(LAST));
        for (int slot = 0; slot < LAST; slot++) {
            int me = slot;
            pollUntil(() -> received(me).events.contains("drained 3"), me);
        }
        everybodyMeets();
        for (int slot = 0; slot < LAST; slot++) {
            assertThat(received(slot).events).containsExactly("drained 3");
        }
    }

    @Test
    void shouldPassOverALateEndOfTheOldOne() {
        startAndMeet();
        kill(LAST);
        admitEverywhere(succeed(LAST));
        for (int slot = 0; slot < LAST; slot++) {
            fabric(slot).drain(OLD);
            fabric(slot).depart(OLD);
            fabric(slot).abandon(OLD);
            assertThat(fabric(slot).isHandedOver(OLD)).isTrue();
            assertThat(fabric(slot).offer(OLD, LaneKind.DATA, Frames.numbered(0)))
                    .isTrue();
        }
        everybodyMeets();
    }

    @Test
    void shouldChangeNothingWhenOneIsAdmittedAgain() {
        startAndMeet();
        MemberRecord old = record(LAST);
        bury(OLD);
        MemberRecord newcomer = succeed(LAST);
        admitEverywhere(newcomer);
        send(LAST, ZERO, 1);
        admitEverywhere(newcomer);
        admitEverywhere(old);
        for (int slot = 0; slot < RANKS; slot++) {
            admitEverywhere(record(slot));
        }
        received(0).frames.clear();
        pollUntil(() -> received(0).frames.size() == KINDS.length, 0, LAST);
        everybodyMeets();
    }

    @Test
    void shouldKeepOneOutThatFailedBeforeItWasAdmitted() {
        startAndMeet();
        bury(OLD);
        MemberRecord newcomer = succeed(LAST);
        send(LAST, ZERO, 1);
        pollAWhile(0, LAST);
        received(0).frames.clear();
        fabric(0).abandon(NEW);
        fabric(0).admit(newcomer);
        for (LaneKind kind : KINDS) {
            assertThat(fabric(0).offer(NEW, kind, Frames.numbered(2))).isTrue();
            fabric(LAST).offer(ZERO, kind, Frames.numbered(3));
        }
        pollAWhile(0, LAST);

        assertThat(received(0).frames).isEmpty();
        assertThat(received(LAST).frames).isEmpty();
        assertThat(fabric(0).connected()).doesNotContain(OLD, NEW);
    }

    @Test
    void shouldCarryFramesBetweenNewcomersThatDidNotKnowEachOther() {
        startAndMeet();
        kill(2);
        kill(LAST);
        for (int slot = 0; slot < 2; slot++) {
            for (int dead = 2; dead < RANKS; dead++) {
                fabric(slot).drain(ProcessId.of(dead));
            }
            int me = slot;
            pollUntil(() -> received(me).events.size() == 2, me);
            fabric(slot).abandon(ProcessId.of(2));
            fabric(slot).abandon(OLD);
        }
        succeed(2);
        succeed(LAST);
        fabric(2).abandon(OLD);
        send(LAST, record(2).id(), 3);
        pollAWhile(2, LAST);
        assertThat(received(2).frames).isEmpty();

        admitEverywhere(record(2));
        admitEverywhere(record(LAST));
        pollUntil(() -> received(2).frames.size() == 2, 2, LAST);
        everybodyMeets();
    }

    @Test
    void shouldStandManySuccessorsOfASlotAndOfAllSlots() {
        startAndMeet();
        for (int round = 0; round < 12; round++) {
            int slot = round < 6 ? LAST : round % RANKS;
            ProcessId old = record(slot).id();
            for (int to = 0; to < RANKS; to++) {
                if (to != slot) {
                    send(slot, record(to).id(), round);
                }
            }
            if (round % 3 == 0) {
                kill(slot);
            } else {
                bury(old);
            }
            if (round % 4 == 1) {
                // A newcomer that dies while it joins: only one rank has admitted it.
                MemberRecord unlucky = succeed(slot);
                send(slot, record((slot + 1) % RANKS).id(), 1);
                fabric((slot + 2) % RANKS).admit(unlucky);
                kill(slot);
            }
            admitEverywhere(succeed(slot));
            everybodyMeets();
        }
    }

    @Test
    void shouldLeaveInOrderAfterAReplacement() {
        startAndMeet();
        bury(OLD);
        admitEverywhere(succeed(LAST));
        everybodyMeets();
        boolean[] hasLeft = new boolean[RANKS];
        for (int slot = 0; slot < RANKS; slot++) {
            for (int other = 0; other < RANKS; other++) {
                if (other != slot) {
                    fabric(slot).depart(record(other).id());
                }
            }
            fabric(slot).leave();
        }
        pollUntil(
                () -> {
                    boolean all = true;
                    for (int slot = 0; slot < RANKS; slot++) {
                        hasLeft[slot] |= fabric(slot).hasLeft();
                        all &= hasLeft[slot];
                    }
                    return all;
                },
                0,
                1,
                2,
                LAST);
    }

    @Test
    void shouldShareMemoryWithANewcomerAndNotWithTheOneBefore() {
        startAndMeet();
        assumeTrue(fabric(0).hostMemory() != null, "this medium has no memory of the host");
        Segment ofOld = fabric(LAST).hostMemory().create(8192);
        bury(OLD);
        MemberRecord newcomer = succeed(LAST);
        assertThat(fabric(0).hostMemory().reaches(NEW)).isFalse();
        admitEverywhere(newcomer);
        HostMemory memory = fabric(0).hostMemory();
        Segment ofNew = fabric(LAST).hostMemory().create(8192);
        ofNew.wordRelease(64, 42);

        assertThat(memory.reaches(NEW)).isTrue();
        assertThat(memory.reaches(OLD)).isFalse();
        assertThat(memory.open(OLD, ofOld.id())).isNull();
        assertThat(memory.open(NEW, ofOld.id())).isNull();
        assertThat(memory.open(NEW, ofNew.id()).wordAcquire(64)).isEqualTo(42);
    }
}
