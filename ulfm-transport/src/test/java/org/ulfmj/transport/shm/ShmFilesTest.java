package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.host.HostProcess;

@Timeout(60)
class ShmFilesTest {
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);
    private static final ProcessId TWO = ProcessId.of(2);
    private static final long MAX_BYTES = 1 << 20;
    private static final HostProcess SELF = HostProcess.self();
    /** No pid is as high as that. */
    private static final HostProcess DEAD =
            new HostProcess(1L << 40, SELF.startTicks() + 1, SELF.pidNamespace(), SELF.bootId());

    @TempDir
    Path base;

    private ShmDirectory directory;
    private ShmFiles zero;
    private ShmFiles one;

    @BeforeEach
    void begin() throws IOException {
        directory = ShmDirectory.create(ShmDirectory.pathFor(base, "test"));
        zero = new ShmFiles(ShmDirectory.open(directory.path()), ZERO, SELF, MAX_BYTES);
        one = new ShmFiles(ShmDirectory.open(directory.path()), ONE, SELF, MAX_BYTES);
    }

    @AfterEach
    void end() {
        zero.close();
        one.close();
        directory.remove();
    }

    @Test
    void shouldLetOthersReadWhatIsLentAndNotWriteIt() throws IOException {
        Lent lent = zero.lend(100_000);
        lent.memory().put(99_999, (byte) 7);

        ByteBuffer borrowed = one.borrow(ZERO, SELF, lent.id());

        assertThat(borrowed.capacity()).isEqualTo(100_000);
        assertThat(borrowed.get(99_999)).isEqualTo((byte) 7);
        assertThat(borrowed.isReadOnly()).isTrue();
        assertThat(one.borrow(ZERO, SELF, lent.id())).isSameAs(borrowed);
        assertThatThrownBy(() -> one.borrow(ZERO, DEAD, zero.lend(10).id())).isInstanceOf(IOException.class);
    }

    @Test
    void shouldGiveLentMemoryBackOnceNoProcessHoldsIt() throws IOException {
        long before = zero.reservedBytes();
        lendAndForget();

        assertThat(zero.lend(10_000))
                .as("beside memory that no object holds any more")
                .isNotNull();
        while (zero.reservedBytes() > before + 2 * 10_000) {
            System.gc();
            // This looks for memory that no object refers to any more; until some is found there may be no room.
            zero.lend(10_000);
        }
    }

    private void lendAndForget() {
        assertThat(zero.lend((int) MAX_BYTES / 4)).isNotNull();
        assertThat(zero.lend((int) MAX_BYTES)).isNull();
    }

    @Test
    void shouldLendNothingThatNoFileCanHold() {
        assertThat(zero.lend(ShmSegment.MAX_BYTES + 1)).isNull();
        assertThat(zero.lend(Integer.MAX_VALUE)).isNull();
    }

    @Test
    void shouldLeaveRoomForLanesHoweverMuchIsLent() {
        List<Lent> held = new ArrayList<>();
        for (Lent lent = zero.lend(100_000); lent != null; lent = zero.lend(100_000)) {
            held.add(lent);
        }

        assertThat(held).hasSizeBetween(4, 5);
        assertThat(zero.create(ONE, 500_000)).isNotNull();
    }

    @Test
    void shouldShareItsBytesWithTheOneItWasMadeFor() throws IOException {
        ShmSegment made = zero.create(ONE, 4096);
        ShmSegment opened = one.open(ZERO, SELF, made.id());

        assertThat(made.memory().order()).isEqualTo(ByteOrder.nativeOrder());
        assertThat(made.memory().isDirect()).isTrue();
        assertThat(made.memory().alignmentOffset(0, 128)).isZero();
        for (int at = 0; at < 4096; at += 8) {
            assertThat(opened.memory().getLong(at)).isZero();
            made.memory().putLong(at, at * 31L + 1);
            assertThat(opened.memory().getLong(at)).isEqualTo(at * 31L + 1);
        }
        assertThat(opened.lengthBytes()).isEqualTo(4096);
        assertThat(opened.maker()).isEqualTo(ZERO);
        assertThat(opened.peer()).isEqualTo(ZERO);
        assertThat(made.peer()).isEqualTo(ONE);
    }

    @Test
    void shouldShowItsFilesToNoOtherUser() throws IOException {
        zero.create(ONE, 100);

        assertThat(modeOf(directory.path())).isEqualTo("rwx------");
        assertThat(names()).hasSize(5); // the records of the launcher and two ranks, the sum, and the file
        for (String name : names()) {
            assertThat(modeOf(directory.path().resolve(name))).as(name).isEqualTo("rw-------");
        }
    }

    @Test
    void shouldReserveEveryBlockBeforeTheFirstUse() throws IOException {
        ShmSegment made = zero.create(ONE, 100_000);

        long blocks = blocksOf(directory.path().resolve(made.name()));
        assertThat(blocks * 512).isGreaterThanOrEqualTo(100_000);
    }

    /**
     * The number of blocks of a file, as {@code stat} counts them: a file with holes has fewer than its length needs.
     */
    private static long blocksOf(Path file) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes()).trim());
    }

    @Test
    void shouldMapANameOnceHoweverOftenItIsOpened() throws IOException {
        ShmSegment made = zero.create(ONE, 64);

        assertThat(one.open(ZERO, SELF, made.id())).isSameAs(one.open(ZERO, SELF, made.id()));
    }

    @Test
    void shouldRefuseWhatGoesBeyondTheBoundOfAllTogether() {
        int half = (int) (MAX_BYTES / 2) - ShmSegment.HEADER_BYTES;
        ShmSegment first = zero.create(ONE, half);
        assertThat(first).isNotNull();
        assertThat(one.create(ZERO, half)).isNotNull();

        assertThat(zero.create(ONE, 1)).isNull();
        assertThat(zero.refusal()).isEqualTo("ulfm.shm.max (1048576 bytes) has no room for 129 bytes more");
        assertThat(zero.reservedBytes()).isEqualTo(MAX_BYTES / 2);

        zero.discard(first);
        assertThat(one.create(ZERO, half)).as("while it is mapped").isNull();
        first = null;
        for (ShmSegment next = null; next == null; next = one.create(ZERO, half)) {
            System.gc();
        }
    }

    @Test
    void shouldFindRoomInWhatWasGivenUpBeforeItSaysNo() {
        int third = (int) MAX_BYTES / 3;
        for (int round = 0; round < 8; round++) {
            ShmSegment segment = zero.createForAll(third);
            assertThat(segment).as("round %d: %s", round, zero.refusal()).isNotNull();
            zero.discard(segment);
        }
        assertThat(zero.reservedBytes()).isLessThanOrEqualTo(MAX_BYTES);
    }

    @Test
    void shouldSayNoWhereTheCollectorFindsNothing() throws IOException {
        List<ShmSegment> held = new ArrayList<>();
        int[] collections = new int[1];
        long beginNs = System.nanoTime();
        try (ShmFiles two = new ShmFiles(directory, TWO, SELF, MAX_BYTES, () -> collections[0]++)) {
            for (ShmSegment next = two.createForAll(100_000); next != null; next = two.createForAll(100_000)) {
                held.add(next);
                assertThat(collections[0]).isZero();
            }
            assertThat(held).as("of 1 MiB, without the quarter for lanes").hasSize(7);
            assertThat(collections[0]).isPositive();
            assertThat(two.createForAll(100_000)).isNull();
            long seconds = (System.nanoTime() - beginNs) / TimeUnit.SECONDS.toNanos(1);
            assertThat(collections[0]).as("once in a second").isBetween(1, 1 + (int) seconds);
            assertThat(two.create(ONE, 100_000)).as("a lane").isNotNull();
        }
    }

    @Test
    void shouldNotCountWhatTheDeadHadReserved() throws IOException {
        int all = (int) MAX_BYTES - ShmSegment.HEADER_BYTES;
        try (ShmFiles dead = new ShmFiles(directory, TWO, DEAD, MAX_BYTES)) {
            assertThat(dead.create(ONE, all)).isNotNull();

            assertThat(zero.create(ONE, all)).isNotNull();
            assertThat(one.create(ZERO, 1)).isNull();
        }
    }

    @Test
    void shouldForgetEverythingBetweenAFailedPeerAndUs() throws IOException {
        ShmSegment toOne = zero.create(ONE, 64);
        ShmSegment toTwo = zero.create(TWO, 64);
        ShmSegment fromOne = one.create(ZERO, 64);
        ShmSegment unopened = one.create(ZERO, 64);
        ShmSegment oneToTwo = one.create(TWO, 64);
        ShmSegment toAll = one.createForAll(64);
        zero.open(ONE, SELF, fromOne.id());
        String nameToOne = toOne.name();
        toOne = null;

        zero.forget(ONE);

        assertThat(names())
                .contains(toTwo.name(), oneToTwo.name())
                .doesNotContain(nameToOne, fromOne.name(), unopened.name(), toAll.name(), "owner.1.0");
        while (zero.reservedBytes() != 64 + ShmSegment.HEADER_BYTES || zero.heldBytes() > 0) {
            System.gc();
        }
        // An unlinked file can still be used where it is mapped.
        fromOne.memory().putLong(0, 5);
        assertThat(fromOne.memory().getLong(0)).isEqualTo(5);
    }

    @Test
    void shouldOpenNothingButFilesOfThatRankForUs() {
        long toTwo = zero.create(TWO, 64).id();
        long toOne = zero.create(ONE, 64).id();
        assertThatThrownBy(() -> one.open(ZERO, SELF, toTwo)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> one.open(ZERO, SELF, toOne + 1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> one.open(TWO, SELF, toOne)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> one.open(new ProcessId(0, 1), SELF, toOne)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> one.openMailbox(ZERO, SELF, toOne)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldLeaveAFileThatIsThereAlready() throws IOException {
        zero.createMailbox(77, 512);
        long reservedBytes = zero.reservedBytes();

        assertThat(zero.createMailbox(77, 512)).isNull();

        assertThat(zero.reservedBytes()).isEqualTo(reservedBytes);
        assertThat(one.openMailbox(ZERO, SELF, 77).memory().capacity()).isEqualTo(512);
    }

    @Test
    void shouldShowAMailboxToAll() throws IOException {
        ShmSegment box = zero.createMailbox(77, 512);
        one.openMailbox(ZERO, SELF, 77).memory().putLong(504, 5);
        try (ShmFiles two = new ShmFiles(directory, TWO, SELF, MAX_BYTES)) {
            assertThat(two.openMailbox(ZERO, SELF, 77).memory().getLong(504)).isEqualTo(5);
        }
        assertThat(box.memory().getLong(504)).isEqualTo(5);
        assertThat(box.id()).isEqualTo(77);
    }

    @Test
    void shouldOpenNothingOfAnotherProcess() {
        ShmSegment made = zero.create(ONE, 64);

        assertThatThrownBy(() -> one.open(ZERO, DEAD, made.id()))
                .isInstanceOf(IOException.class)
                .hasMessage(directory.path().resolve(made.name()) + " is not what rank 0 made");
    }

    @Test
    void shouldOpenNothingOfAnotherLength() throws IOException {
        ShmSegment made = zero.create(ONE, 10_000);
        Path file = directory.path().resolve(made.name());
        byte[] whole = Files.readAllBytes(file);
        for (int length : new int[] {0, ShmSegment.HEADER_BYTES, 9_999, 10_127, 10_129}) {
            Files.delete(file);
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> one.open(ZERO, SELF, made.id()))
                    .as("length %d", length)
                    .isInstanceOf(IOException.class);
        }
        Files.delete(file);
        assertThatThrownBy(() -> one.open(ZERO, SELF, made.id())).isInstanceOf(IOException.class);
        assertThat(file).as("opening makes nothing").doesNotExist();
        Files.createSymbolicLink(file, Files.write(base.resolve("elsewhere"), whole));
        assertThatThrownBy(() -> one.open(ZERO, SELF, made.id())).isInstanceOf(IOException.class);
    }

    @Test
    void shouldNameTheRangeWhenALengthIsNotAllowed() {
        for (int length : new int[] {-1, 0, ShmSegment.MAX_BYTES + 1}) {
            assertThatThrownBy(() -> zero.create(ONE, length))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a shared file of " + length + " bytes; allowed are 1 to 268435456");
        }
    }

    @Test
    void shouldKeepAnInterruptAndNotBeHarmedByIt() throws IOException {
        Thread.currentThread().interrupt();
        ShmSegment made = zero.create(ONE, 200_000);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        ShmSegment opened = one.open(ZERO, SELF, made.id());

        assertThat(Thread.interrupted()).isTrue();
        made.memory().putInt(0, 3);
        assertThat(opened.memory().getInt(0)).isEqualTo(3);
    }

    @Test
    void shouldLeaveNothingOfItsOwnWhenClosed() throws IOException {
        ShmSegment made = zero.create(ONE, 64);
        zero.close();

        assertThat(names()).containsExactlyInAnyOrder("owner.launcher", "owner.1.0", ShmTotal.NAME);
        made.memory().putLong(0, 5);
        assertThat(made.memory().getLong(0)).isEqualTo(5);
        assertThat(zero.create(ONE, 64)).isNull();
        assertThat(zero.refusal()).isEqualTo("shared memory is closed");
    }

    @Test
    void shouldSayNoWhenTheDirectoryIsGone() {
        directory.remove();

        assertThat(zero.create(ONE, 64)).isNull();
        assertThat(zero.refusal()).contains("has no room for 192 bytes");
        assertThat(zero.reservedBytes()).isZero();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory.path())) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static String modeOf(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
