package org.ulfmj.runtime.lent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class CopyBoardTest {
    private static final int DIVISION = -7;
    private static final int PIECES = 5;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(CopyBoard.BYTES);
    private final CopyBoard receiver = new CopyBoard(1, memory);
    private final CopyBoard sender = new CopyBoard(1, memory);

    @Test
    void shouldGiveEachPieceToOneOfBoth() {
        receiver.open(DIVISION);

        assertThat(receiver.takeFront(PIECES)).isTrue();
        assertThat(sender.takeBack(DIVISION, PIECES)).isZero();
        assertThat(sender.takeBack(DIVISION, PIECES)).isEqualTo(1);
        assertThat(receiver.takeFront(PIECES)).isTrue();
        assertThat(sender.takeBack(DIVISION, PIECES)).isEqualTo(2);
        assertThat(receiver.takeFront(PIECES)).isFalse();
        assertThat(sender.takeBack(DIVISION, PIECES)).isNegative();
    }

    @Test
    void shouldSayWhenWhatTheSenderHasTakenIsWritten() {
        receiver.open(DIVISION);
        sender.takeBack(DIVISION, PIECES);
        sender.takeBack(DIVISION, PIECES);
        sender.written(DIVISION, 1);

        int taken = receiver.close();

        assertThat(taken).isEqualTo(2);
        assertThat(receiver.isWritten(DIVISION, taken)).isFalse();
        sender.written(DIVISION, 2);
        assertThat(receiver.isWritten(DIVISION, taken)).isTrue();
    }

    @Test
    void shouldGiveNoPieceOfADivisionThatIsClosed() {
        receiver.open(DIVISION);
        receiver.close();

        assertThat(sender.takeBack(DIVISION, PIECES)).isNegative();
        receiver.open(DIVISION + 1);
        assertThat(sender.takeBack(DIVISION, PIECES)).isNegative();
        assertThat(sender.takeBack(DIVISION + 1, PIECES)).isZero();
    }

    @Test
    void shouldGiveEachPieceOnceWhileBothTakeAtOnce() {
        int pieces = 40_000;
        for (int division = 1; division <= 20; division++) {
            receiver.open(division);
            AtomicIntegerArray owners = new AtomicIntegerArray(pieces);
            int number = division;
            CompletableFuture<Void> back = CompletableFuture.runAsync(() -> {
                for (int piece = sender.takeBack(number, pieces); piece >= 0; piece = sender.takeBack(number, pieces)) {
                    owners.addAndGet(pieces - 1 - piece, 1);
                    sender.written(number, piece + 1);
                }
            });
            int front = 0;
            while (receiver.takeFront(pieces)) {
                owners.addAndGet(front++, 1);
            }
            int taken = receiver.close();
            back.join();

            assertThat(front + taken).isEqualTo(pieces);
            assertThat(receiver.isWritten(division, taken)).isTrue();
            for (int piece = 0; piece < pieces; piece++) {
                assertThat(owners.get(piece)).isOne();
            }
        }
    }
}
