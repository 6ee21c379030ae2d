package org.ulfmj.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.reduction.ArrayReduction;
import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.Segment;

/**
 * Tests exchanges and reductions in lent memory between two ranks in one thread, whose steps come in the order that a
 * test chooses.
 */
class LentWavesTest {
    private static final int PART = 64 * 1024;
    private static final int PLACES = 2;
    private static final long NUMBER = 1;
    private static final ProcessId[] PROCESSES = {ProcessId.of(0), ProcessId.of(1)};

    /** The memory that both ranks lend, with ids from 1 on, and how often each rank has taken its memory back. */
    private static final class Host {
        private final List<ByteBuffer> lent = new ArrayList<>();
        private final long[] takenBack = new long[2];
    }

    /** The lent memory of the host, as one rank sees it. */
    private static final class Shared extends NoSegments {
        private final Host host;
        private final int rank;

        Shared(Host host, int rank) {
            this.host = host;
            this.rank = rank;
        }

        @Override
        public Lent lend(int lengthBytes) {
            host.lent.add(direct(lengthBytes));
            return new Lent(host.lent.size(), host.lent.get(host.lent.size() - 1));
        }

        @Override
        public ByteBuffer borrow(ProcessId maker, long id) {
            return host.lent.get((int) id - 1).duplicate();
        }

        @Override
        public void takeBack(long number) {
            host.takenBack[rank]++;
        }

        @Override
        public long takenBack(ProcessId maker, long number) {
            return host.takenBack[maker.slot()];
        }
    }

    /** A message that consists of a whole buffer of the program. */
    private record Whole(ByteBuffer buffer, Payload bytes) implements Payload {
        static Whole of(ByteBuffer buffer) {
            return new Whole(buffer, new BufferPayload(buffer.duplicate()));
        }

        @Override
        public long lengthBytes() {
            return buffer.capacity();
        }

        @Override
        public Object holder() {
            return buffer;
        }

        @Override
        public void copyOut(long offset, ByteBuffer target) {
            bytes.copyOut(offset, target);
        }

        @Override
        public void copyIn(long offset, ByteBuffer source) {
            bytes.copyIn(offset, source);
        }
    }

    /** Exclusive or of bytes, in arrays. */
    private record Xor() implements ArrayReduction {
        @Override
        public int kind() {
            return 0;
        }

        @Override
        public Object newArray(int elements) {
            return new byte[elements];
        }

        @Override
        public void load(ByteBuffer from, Object array, int count) {
            from.get((byte[]) array, 0, count);
        }

        @Override
        public boolean load(Payload from, long offset, Object array, int count) {
            return false;
        }

        @Override
        public void combine(Object lower, Object inout, int count) {
            for (int i = 0; i < count; i++) {
                ((byte[]) inout)[i] ^= ((byte[]) lower)[i];
            }
        }

        @Override
        public void store(Object array, int count, ByteBuffer to) {
            to.put((byte[]) array, 0, count);
        }

        @Override
        public boolean store(Object array, int count, Payload to, long offset) {
            return false;
        }

        @Override
        public void apply(ByteBuffer in, ByteBuffer inout, int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isCommutative() {
            return true;
        }

        @Override
        public boolean isUserCode() {
            return false;
        }
    }

    /** One rank that takes part in an exchange of parts, or in a reduction. */
    private static final class Rank {
        private final ByteBuffer send;
        private final ByteBuffer receive;
        private final LentWaves waves;

        /** @param fold null for an exchange */
        Rank(Host host, int rank, Segment[] segments, VectorFold fold) {
            Shared memory = new Shared(host, rank);
            Lending lending = new Lending(PROCESSES[rank], memory);
            send = lending.lend(2 * PART);
            receive = lending.lend(2 * PART);
            for (int at = 0; at < 2 * PART; at++) {
                send.put(at, (byte) (10 * rank + at / PART));
            }
            HostWindow window = new HostWindow(memory, PROCESSES, rank, segments.clone(), PLACES);
            HostArguments arguments = fold == null
                    ? HostArguments.allToAll("iAllToAll", Whole.of(send), Whole.of(receive))
                    : HostArguments.allReduce("iAllReduce", Whole.of(send), Whole.of(receive), 1, new Xor());
            waves = new LentWaves(window, window.newView(), memory, lending, arguments, NUMBER, fold);
            assertThat(waves.offer()).isTrue();
        }

        void read() {
            read(1);
        }

        void read(int wave) {
            waves.prepare(wave);
            for (int piece = 0; piece < waves.pieces(wave); piece++) {
                if (!waves.isEmpty(wave, piece)) {
                    waves.run(wave, piece);
                }
            }
        }
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private final Host host = new Host();
    private final Segment[] segments = newSegments();
    private final Rank first = new Rank(host, 0, segments, null);
    private final Rank second = new Rank(host, 1, segments, null);

    private static Segment segment(int rank) {
        return new Segment(PROCESSES[rank], rank + 1L, direct(HostWindow.lengthBytes(PLACES, PART)));
    }

    @Test
    void shouldReadWhatTheOtherHasForIt() {
        assertThat(first.waves.areAllDone(0)).isTrue();
        first.read();
        second.read();
        first.waves.sayWhetherRead(1);
        second.waves.sayWhetherRead(1);

        assertThat(first.waves.areAllDone(1)).isTrue();
        assertThat(second.waves.areAllDone(1)).isTrue();
        for (int from = 0; from < 2; from++) {
            assertThat(first.receive.get(from * PART)).isEqualTo((byte) (10 * from));
            assertThat(first.receive.get((from + 1) * PART - 1)).isEqualTo((byte) (10 * from));
            assertThat(second.receive.get(from * PART)).isEqualTo((byte) (10 * from + 1));
        }
    }

    /**
     * Shows that data is not trusted if its owner has read, has told so, and has failed before the other rank tells
     * that it has read: the owner's program may have written meanwhile.
     */
    @Test
    void shouldNotTrustWhatItReadsWhenItsOwnerHasFailedMeanwhile() {
        second.read();
        second.waves.sayWhetherRead(1);
        first.read();
        second.waves.takeBack();
        first.waves.sayWhetherRead(1);

        assertThat(first.waves.areAllDone(1)).isFalse();
        assertThat(second.waves.areAllDone(1)).isFalse();
    }

    /**
     * Shows that data is kept that a rank has read, and has told so, before the owner of the data failed: the owner's
     * program writes only afterwards.
     */
    @Test
    void shouldTrustWhatItHadReadBeforeItsOwnerFailed() {
        second.read();
        second.waves.sayWhetherRead(1);
        first.read();
        first.waves.sayWhetherRead(1);
        second.waves.takeBack();

        assertThat(first.waves.areAllDone(1)).isTrue();
    }

    /** Shows that nothing is read if the place that a rank announces lies outside of the memory that it names. */
    @Test
    void shouldNotReadOutsideOfWhatIsLent() {
        host.lent.set(0, direct(2 * PART - 1)); // the first rank's send buffer, of which the second wants the end

        second.read();
        second.waves.sayWhetherRead(1);

        assertThat(second.waves.pieces(1)).isZero();
        assertThat(second.waves.areAllDone(1)).isFalse();
    }

    private static Segment[] newSegments() {
        return new Segment[] {segment(0), segment(1)};
    }

    /** Reduces, and returns a reference to the second rank's memory, which the first rank has read. */
    private static WeakReference<ByteBuffer> reduce(VectorFold fold) {
        Host host = new Host();
        Segment[] segments = newSegments();
        Rank first = new Rank(host, 0, segments, fold);
        Rank second = new Rank(host, 1, segments, new VectorFold(2));
        for (int wave = 1; wave <= 2; wave++) {
            for (Rank rank : List.of(first, second)) {
                rank.read(wave);
                rank.waves.sayWhetherRead(wave);
            }
            assertThat(first.waves.areAllDone(wave)).isTrue();
        }
        for (int at = 0; at < 2 * PART; at++) {
            assertThat(first.receive.get(at)).isEqualTo((byte) (at / PART ^ 10 + at / PART));
        }
        return new WeakReference<>(second.send);
    }

    /**
     * Shows that no reference to the other rank's memory is left after a reduction: the object that combines vectors
     * outlives the operation, and memory stays mapped as long as a buffer refers to it.
     */
    @Test
    void shouldKeepNothingOfTheOthersMemoryWhenAReductionIsOver() {
        VectorFold fold = new VectorFold(2);
        WeakReference<ByteBuffer> read = reduce(fold);

        for (int i = 0; i < 10 && read.get() != null; i++) {
            System.gc();
        }

        assertThat(read.get()).isNull();
        Reference.reachabilityFence(fold);
    }

    @Test
    void shouldTryLessAndLessOftenWhatRanksCouldNotRead() {
        LentTries tries = new LentTries(PLACES);
        int tried = 0;
        for (int number = 1; number <= 200; number++) {
            int slot = number % PLACES;
            if (tries.isWorthIt(number, slot)) {
                tried++;
                tries.end(slot, false);
            }
        }

        // Two attempts at a time, as there are two slots; the pauses between them begin with 16 operations and grow.
        assertThat(tried).isEqualTo(6);
        assertThat(tries.isWorthIt(1_000_000, 0)).isTrue();
        tries.end(0, true);
        assertThat(tries.isWorthIt(1_000_002, 0)).isTrue();
    }
}
