package org.ulfmj.runtime.lent;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes a copy board with any content: no piece may be taken that the message does not have. */
final class CopyBoardFuzz implements FuzzTarget {
    private static final int DIVISION = 5;
    private static final int PIECES = 9;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(CopyBoard.BYTES).order(ByteOrder.nativeOrder());

    @Override
    public List<byte[]> samples() {
        CopyBoard board = new CopyBoard(1, memory);
        board.open(DIVISION);
        board.takeFront(PIECES);
        board.takeBack(DIVISION, PIECES);
        board.written(DIVISION, 1);
        byte[] whole = new byte[CopyBoard.BYTES];
        memory.clear().get(whole);
        return List.of(whole);
    }

    @Override
    public void parse(byte[] input) {
        memory.clear().put(new byte[CopyBoard.BYTES]).clear();
        memory.put(input, 0, Math.min(input.length, CopyBoard.BYTES)).clear();
        CopyBoard board = new CopyBoard(1, memory);
        int taken = 0;
        while (board.takeFront(PIECES)) {
            taken++;
        }
        int piece = board.takeBack(DIVISION, PIECES);
        if (taken > PIECES || piece >= PIECES) {
            throw new IllegalStateException(taken + " pieces from the front, piece " + piece + " from the back");
        }
        board.isWritten(DIVISION, board.close());
    }
}
