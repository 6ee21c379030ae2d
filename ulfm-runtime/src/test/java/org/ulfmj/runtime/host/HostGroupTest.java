package org.ulfmj.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;

/**
 * Tests how far ranks of a host group may go ahead of each other, when {@link HostGroup#isThereSoon} is true, and that
 * prefetching cache lines leaves the flags as they should be.
 */
class HostGroupTest {
    private static final int SLOTS = HostLayout.SLOTS;
    private static final HostMemory MEMORY = (HostMemory) Proxy.newProxyInstance(
            HostGroupTest.class.getClassLoader(),
            new Class<?>[] {HostMemory.class},
            (proxy, method, arguments) -> null);

    private final Segment[] segments = {segment(0), segment(1)};
    private final HostGroup root = group(0);
    private final HostGroup other = group(1);
    /** Whether each wait so far was hurried. */
    private final List<Boolean> waits = new ArrayList<>();

    private static Segment segment(int rank) {
        return new Segment(
                ProcessId.of(rank),
                rank + 1L,
                ByteBuffer.allocateDirect(64 * 1024).order(ByteOrder.nativeOrder()));
    }

    private HostGroup group(int rank) {
        return new HostGroup(MEMORY, new ProcessId[] {ProcessId.of(0), ProcessId.of(1)}, rank, segments.clone());
    }

    /** Makes the waits of {@code waiter}: in them the other rank begins operations until the wait has ended. */
    private HostWaiting letting(HostGroup waiter, HostGroup goesOn) {
        return new UnlockedWaiting() {
            @Override
            public void await(boolean isHurried) {
                waits.add(isHurried);
                while (!waiter.isThere()) {
                    goesOn.publishNothingLast(0);
                }
            }
        };
    }

    @BeforeEach
    void use() {
        root.use(letting(root, other));
        other.use(letting(other, root));
    }

    @Test
    void shouldGoAheadByAllSlotsButOne() {
        for (int i = 1; i < SLOTS; i++) {
            root.publishNothingLast(0);
        }
        assertThat(waits).isEmpty();

        root.publishNothingLast(0);

        assertThat(waits).containsExactly(false);
    }

    @Test
    void shouldWaitForHalfOfTheSlotsWhenNoneIsFree() {
        for (int i = 1; i <= SLOTS; i++) {
            root.publishNothingLast(0);
        }
        assertThat(other.operations()).isEqualTo(SLOTS / 2 - 1);

        for (int i = 2; i < SLOTS / 2; i++) {
            root.publishNothingLast(0);
        }
        assertThat(waits).hasSize(1);
    }

    @Test
    void shouldShowNoOperationThatHasNotBegunWhileLinesAreFetched() {
        Random random = new Random(20261128);
        for (int i = 0; i < 20_000; i++) {
            HostGroup next = random.nextInt(3) > 0 ? root : other;
            HostGroup peer = next == root ? other : root;
            long operation = next.publishNothingLast(0);
            requireFlags(next);
            if (operation <= peer.operations() && random.nextBoolean()) {
                if (random.nextBoolean()) {
                    next.awaitAllAhead(operation);
                } else {
                    next.awaitOneAhead(operation, peer.rank());
                }
            }
            requireFlags(root);
            requireFlags(other);
        }
    }

    /**
     * Has rank 0 of three wait for the others in one operation. Returns what {@link HostGroup#isThereSoon} says while
     * both are missing, while one is missing and when none is.
     */
    private List<Boolean> soonAnswers(boolean isMutual) {
        Segment[] three = {segment(0), segment(1), segment(2)};
        ProcessId[] processes = {ProcessId.of(0), ProcessId.of(1), ProcessId.of(2)};
        HostGroup[] groups = new HostGroup[3];
        for (int rank = 0; rank < 3; rank++) {
            groups[rank] = new HostGroup(MEMORY, processes, rank, three);
            groups[rank].use(letting(groups[rank], groups[rank]));
        }
        List<Boolean> answers = new ArrayList<>();
        groups[0].use(new UnlockedWaiting() {
            @Override
            public void await(boolean isHurried) {
                answers.add(groups[0].isThereSoon(1));
                groups[2].publishNothingLast(0);
                answers.add(groups[0].isThereSoon(1));
                groups[1].publishNothingLast(0);
                answers.add(groups[0].isThereSoon(1));
            }
        });
        long operation = groups[0].publishNothingLast(0);
        if (isMutual) {
            groups[0].awaitAll(operation);
        } else {
            groups[0].awaitAllAhead(operation);
        }
        return answers;
    }

    @Test
    void shouldSeeTheLastRanksBeforeAYieldOnlyWhereAllWaitForAll() {
        assertThat(soonAnswers(true)).containsExactly(false, false, true);
        assertThat(soonAnswers(false)).containsExactly(false, false, false);
    }

    /** Checks that each slot's flag is the number of the last operation in that slot, or 0 if there was none. */
    private void requireFlags(HostGroup group) {
        for (long operation = group.operations() + 1; operation <= group.operations() + SLOTS; operation++) {
            long flag = segments[group.rank()].wordAcquire(HostLayout.slotAt(operation) + HostLayout.FLAG);
            assertThat(flag).isEqualTo(Math.max(0, operation - SLOTS));
        }
    }
}
