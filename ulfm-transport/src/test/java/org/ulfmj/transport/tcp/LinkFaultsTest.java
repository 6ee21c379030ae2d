package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.tcp.LinkFault.Kind;

/** Faults of links, each below the session. Unless a path is dead for good, every frame arrives once and in order. */
@Timeout(120)
class LinkFaultsTest extends TcpPair {
    private static final long MS = 1_000_000;
    private static final int RULE = 9;
    /** The number of frames that one rank sends before the other one's turn. */
    private static final int BURST = 8;

    private final List<Integer> told = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldLoseAndRepeatNothing(Kind kind) {
        long endNs = kind == Kind.BLACKHOLE || kind == Kind.REFUSE ? 300 * MS : Long.MAX_VALUE;
        LinkFault fault = new LinkFault(
                RULE,
                kind,
                new SlotEnds(0, 1, kind == Kind.RESET),
                kind == Kind.BLACKHOLE ? 20 * MS : 0,
                endNs,
                new LinkTerms(
                        kind == Kind.RESET ? 10 * MS : 3 * MS,
                        2 * MS,
                        isOfFrames(kind) ? 0.3 : 1,
                        2_000_000,
                        isOfFrames(kind) ? 5 : 0));
        begin(fault);
        exchange(5, 100);
        assertThat(told).as("rules that were told").containsOnly(RULE).hasSizeLessThanOrEqualTo(2);
        boolean isBoth = kind == Kind.RESET || kind == Kind.REFUSE;
        assertThat(told.size()).as("only the receiver meets the fault").isLessThanOrEqualTo(isBoth ? 2 : 1);
    }

    private static boolean isOfFrames(Kind kind) {
        return kind == Kind.DROP || kind == Kind.DUP || kind == Kind.REORDER || kind == Kind.CORRUPT;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldLoseAndRepeatNothingUnderAllFaultsAtOnce(long seed) {
        List<LinkFault> faults = new ArrayList<>();
        for (Kind kind : List.of(Kind.DROP, Kind.DUP, Kind.REORDER, Kind.CORRUPT, Kind.DELAY, Kind.RESET)) {
            double probability = kind == Kind.RESET ? 1 : kind == Kind.DUP ? 0.3 : 0.03;
            LinkTerms terms = new LinkTerms(40 * MS, 0, probability, 0, 4);
            faults.add(new LinkFault(RULE + faults.size(), kind, SlotEnds.ALL, 0, Long.MAX_VALUE, terms));
        }
        begin(faults.toArray(new LinkFault[0]));
        exchange(seed, 200);
    }

    @Test
    void shouldHoldBytesBackForSoLong() {
        begin(fromZero(Kind.DELAY, LinkTerms.lasting(150 * MS)));
        long startNs = System.nanoTime();
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received[1].frames.size() == 1);
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(150 * MS);
    }

    @Test
    void shouldSleepWhileBytesAreHeldOfAConnectionThatHasEnded() {
        begin(fromZero(Kind.DELAY, LinkTerms.lasting(300 * MS)));
        exchange(1, 2);
        int before = received[1].frames.size();
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(before));
        world.fabric(0).pollWithSeat(received[0]);
        world.fabric(1).pollWithSeat(received[1]);
        world.fabric(0).close();
        int turns = 0;
        while (received[1].frames.size() == before) {
            world.fabric(1).pollWithSeat(received[1]);
            world.fabric(1).sleep(Math.min(world.fabric(1).nextDeadlineNs(), clock.getAsLong() + 50 * MS));
            turns++;
        }
        assertThat(turns).as("turns while the last frame was held").isLessThan(300);
        Polling.until(() -> received[1].events.contains("broken 0"), () -> world.fabric(1)
                .pollWithSeat(received[1]));
    }

    @Test
    void shouldKeepOneHeartbeatWhileThereIsNoConnection() {
        for (int number = 0; number < 20; number++) {
            world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(number).setHeartbeat(number % 2 == 0));
        }
        world.fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(20));
        pollUntil(() -> received[1].sequences().contains(20));
        assertThat(received[1].sequences()).containsExactly(0, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 20);
    }

    @Test
    void shouldLetNoMoreBytesPass() {
        begin(fromZero(Kind.THROTTLE, new LinkTerms(0, 0, 1, 1_000_000, 0)));
        long startNs = System.nanoTime();
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0, Frames.bytes(200_000, 1)));
        pollUntil(() -> received[1].frames.size() == 1);
        // At a limited rate the bytes of 10 ms pass at once, so the first of them do not wait.
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(180 * MS);
    }

    /**
     * A path that is dead in one direction: frames of neither rank are acknowledged, so both report the link as broken.
     */
    @Test
    void shouldBeLostAtBothEndsWhenOneDirectionIsGone() {
        exchange(1, 20);
        begin(fromZero(Kind.BLACKHOLE, LinkTerms.NONE));
        pollUntil(() -> !told.isEmpty());
        assertThat(told).containsExactly(RULE);
        int before = received[0].frames.size();
        world.fabric(1).offer(ZERO, LaneKind.DATA, Frames.numbered(before));
        pollUntil(() -> received[0].frames.size() > before);
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(99));
        pollUntil(() -> received[0].events.contains("broken 1") && received[1].events.contains("broken 0"));
        assertThat(received[1].sequences()).doesNotContain(99);
    }

    /**
     * A cut of hosts finds a host by the key in its members' records; the next process of a slot may be on another
     * host.
     */
    @Test
    void shouldCutHostsByTheirKeys() {
        HostCut cut = new HostCut(new TreeSet<>(Set.of(7L)), new TreeSet<>(Set.of(7L, 8L)));
        LinkFaults faults = new LinkFaults(0, List.of(LinkFault.cut(cut, 0, 50)));
        faults.know(onHost(1, 7));
        faults.know(onHost(2, 8));
        faults.know(onHost(3, 9));
        faults.begin(0);
        assertThat(faults.isDeafTo(1)).as("before it has begun").isFalse();
        faults.onTick(world.fabric(0).links(), 10);
        assertThat(List.of(faults.isDeafTo(1), faults.isDeafTo(2), faults.isDeafTo(3)))
                .containsExactly(true, false, false);
        assertThat(List.of(faults.isUnheardBy(1), faults.isUnheardBy(2), faults.isUnheardBy(3)))
                .containsExactly(true, true, false);
        assertThat(faults.swallowsCall(4)).as("of a process that is not known").isFalse();
        faults.know(onHost(1, 9));
        assertThat(faults.swallowsCall(1)).as("of the next process of the slot").isFalse();
        faults.onTick(world.fabric(0).links(), 60);
        assertThat(faults.isUnheardBy(2)).as("after its end").isFalse();
    }

    private static MemberRecord onHost(int slot, long key) {
        return new MemberRecord(ProcessId.of(slot), slot, key, "", 0, "", HostProcess.UNKNOWN);
    }

    /** Ranks that are stopped, or get no core, from before the begin of a fault until after its end. */
    @ParameterizedTest
    @EnumSource(names = {"RESET", "BLACKHOLE"})
    void shouldHappenThoughItsRanksSleepUntilAfterItsEnd(Kind kind) {
        exchange(1, 20);
        SlotEnds ends = new SlotEnds(0, 1, kind == Kind.RESET);
        begin(new LinkFault(RULE, kind, ends, 20 * MS, 50 * MS, LinkTerms.NONE));
        clock.pass(100 * MS);
        poll();
        assertThat(told).containsExactly(RULE);
        assertThat(world.fabric(1).faults().isDeafTo(0)).as("after its end").isFalse();
        shouldStillWork();
    }

    @Test
    void shouldStrikeAtMostSoOften() {
        begin(fromZero(Kind.DUP, new LinkTerms(0, 0, 1, 0, 2)));
        LinkFaults faults = world.fabric(1).faults();
        world.fabric(1).pollWithSeat(received[1]);
        assertThat(faults.repeats(0)).isTrue();
        assertThat(faults.repeats(0)).isTrue();
        assertThat(faults.repeats(0)).isFalse();
        assertThat(faults.drops(0)).as("another fault").isFalse();
        assertThat(faults.isDeafTo(0)).isFalse();
        assertThat(told).containsExactly(RULE);
    }

    /** A fault that hits what slot 0 sends to slot 1, from now on. */
    private static LinkFault fromZero(Kind kind, LinkTerms terms) {
        return new LinkFault(RULE, kind, new SlotEnds(0, 1, false), 0, Long.MAX_VALUE, terms);
    }

    private void begin(LinkFault... faults) {
        for (int slot = 0; slot < 2; slot++) {
            world.fabric(slot).injectFaults(new LinkFaults(slot, List.of(faults)));
            world.fabric(slot).tellFaults(told::add);
            world.fabric(slot).beginFaults();
        }
    }

    /** Sends frames both ways until all have arrived, and compares each with what was sent. */
    private void exchange(long seed, int frames) {
        Random random = new Random(seed);
        List<List<byte[]>> sent = List.of(new ArrayList<>(), new ArrayList<>());
        long restUntilNs = clock.getAsLong();
        while (sent.get(0).size() + sent.get(1).size() < frames) {
            int total = sent.get(0).size() + sent.get(1).size();
            boolean isRest = clock.getAsLong() - restUntilNs < 0;
            if (isRest || total % BURST == 0) {
                poll();
            }
            if (isRest) {
                continue;
            }
            if (total % BURST == BURST - 1) {
                restUntilNs = clock.getAsLong() + random.nextInt((int) TimeUnit.MILLISECONDS.toNanos(10));
            }
            int from = total / BURST % 2;
            byte[] payload = Frames.bytes(random.nextInt(random.nextInt(10) == 0 ? 60_000 : 500), random.nextLong());
            int number = sent.get(from).size();
            if (world.fabric(from).offer(ProcessId.of(1 - from), LaneKind.DATA, Frames.numbered(number, payload))) {
                sent.get(from).add(payload);
            } else {
                poll();
            }
        }
        pollUntil(() -> received[0].frames.size() >= sent.get(1).size()
                && received[1].frames.size() >= sent.get(0).size());
        for (int slot = 0; slot < 2; slot++) {
            assertThat(received[slot].events).as("seed " + seed).isEmpty();
            assertThat(received[slot].frames).hasSameSizeAs(sent.get(1 - slot));
            for (int i = 0; i < received[slot].frames.size(); i++) {
                Received.Item item = received[slot].frames.get(i);
                assertThat(item.sequence()).isEqualTo(i);
                assertThat(item.payload()).isEqualTo(sent.get(1 - slot).get(i));
            }
        }
    }
}
