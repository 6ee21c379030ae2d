package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Some operations of the cells in Java over shared memory, or a socket, without any library: an estimate of the least
 * time that they can take on this machine. No message is matched.
 */
final class BareExchange {
    private static final int WINDOW = 64;
    private static final long CONTENT = 0x1122334455667788L;
    /**
     * The most bytes beside a flag. Over shared memory, longer messages lie in the sender's shared buffer, and the
     * receiver copies them from there.
     */
    private static final int SHORT_BYTES = 56;

    private final int me;
    private final int ranks;
    private final int partner;
    private final BareMemory memory;
    private final BareSocket socket;
    private final ByteBuffer mine = ByteBuffer.allocateDirect(BareMemory.BUFFER_BYTES);
    private final ByteBuffer theirs = ByteBuffer.allocateDirect(BareMemory.BUFFER_BYTES);
    private final ByteBuffer shared;
    private final byte[] pattern = new byte[BareMemory.BUFFER_BYTES];
    private final double[] myDoubles = new double[1];
    private final double[] theirDoubles = new double[1];
    private long step = 1;
    /** The step of the last barrier. */
    private long met = 1;

    /** @param socket null for messages over shared memory */
    BareExchange(int me, int ranks, BareMemory memory, BareSocket socket) {
        this.me = me;
        this.ranks = ranks;
        this.partner = me ^ 1;
        this.memory = memory;
        this.socket = socket;
        this.myDoubles[0] = me + 1;
        mine.putLong(0, CONTENT + me);
        this.shared = memory.memory.duplicate().order(memory.memory.order());
        shared.putLong(memory.buffer(me), CONTENT);
    }

    /**
     * Throws if the data of an operation has not arrived. Checked are the result of reduce at rank 0, those of
     * allreduce and bcast, and for round trips over shared memory whether any content has come.
     */
    void requireResults(String work) {
        boolean hasSum = work.equals("allreduce") || work.equals("reduce") && me == 0;
        if (hasSum && theirDoubles[0] != ranks * (ranks + 1) / 2.0) {
            throw new IllegalStateException(work + " has given " + theirDoubles[0]);
        }
        if (work.equals("bcast") && mine.getLong(0) != CONTENT) {
            throw new IllegalStateException("bcast has brought " + mine.getLong(0));
        }
        if (work.startsWith("pp") && socket == null && partner < ranks && theirs.getLong(0) == 0) {
            throw new IllegalStateException("no message has come");
        }
    }

    /** Repeats the operation that a work names. */
    void operate(String work, int bytes, int operations) throws IOException {
        for (int i = 0; i < operations; i++) {
            switch (work) {
                case "pp" -> pingPong(bytes, false);
                case "ppsw" -> pingPong(bytes, true);
                case "rate" -> stream();
                case "barrier" -> barrier();
                case "bcast" -> bcast();
                case "reduce" -> reduce();
                case "allreduce" -> allReduce();
                default -> throw new IllegalArgumentException(work + ": no such work");
            }
        }
    }

    /**
     * A round trip between an even rank and the next one, if there is one.
     *
     * @param isRewritten whether each sender first writes its message to its shared buffer
     */
    private void pingPong(int bytes, boolean isRewritten) throws IOException {
        if (partner >= ranks) {
            return;
        }
        if (me > partner) {
            receive(bytes);
        }
        if (isRewritten) {
            rewrite(bytes);
        }
        send(bytes);
        if (me < partner) {
            receive(bytes);
        }
    }

    private void send(int bytes) throws IOException {
        if (socket != null) {
            socket.write(bytes);
            return;
        }
        // Sender and receiver both count the messages of both directions, so that a line is written again only after it
        // was read.
        step++;
        if (bytes <= SHORT_BYTES) {
            shared.put(BareMemory.data(me, step), mine, 0, bytes);
        }
        memory.set(me, step);
    }

    private void receive(int bytes) throws IOException {
        if (socket != null) {
            socket.read(bytes);
            return;
        }
        step++;
        memory.await(partner, step);
        int at = bytes <= SHORT_BYTES ? BareMemory.data(partner, step) : memory.buffer(partner);
        theirs.put(0, shared, at, bytes);
    }

    private void rewrite(int bytes) {
        int at = memory.buffer(me);
        shared.putLong(at, step);
        shared.put(at + Long.BYTES, pattern, Long.BYTES, bytes - Long.BYTES);
    }

    /** Sends many messages one after the other from an even rank to the next one, which answers when all have come. */
    private void stream() throws IOException {
        if (partner >= ranks) {
            return;
        }
        for (int k = 0; k < WINDOW; k++) {
            if (me < partner) {
                send(Long.BYTES);
            } else {
                receive(Long.BYTES);
            }
        }
        if (me < partner) {
            receive(0);
        } else {
            send(0);
        }
    }

    void barrier() {
        step++;
        met = step;
        memory.set(me, step);
        awaitOthers();
    }

    private void awaitOthers() {
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != me) {
                memory.await(rank, step);
            }
        }
    }

    private void bcast() {
        step++;
        leaveNoneBehind();
        if (me == 0) {
            shared.put(BareMemory.data(0, step), mine, 0, Long.BYTES);
            memory.set(0, step);
        } else {
            memory.await(0, step);
            mine.put(0, shared, BareMemory.data(0, step), Long.BYTES);
            memory.set(me, step);
        }
    }

    private void reduce() {
        step++;
        leaveNoneBehind();
        if (me != 0) {
            shared.putDouble(BareMemory.data(me, step), myDoubles[0]);
            memory.set(me, step);
            return;
        }
        double sum = myDoubles[0];
        for (int rank = 1; rank < ranks; rank++) {
            memory.await(rank, step);
            sum += shared.getDouble(BareMemory.data(rank, step));
        }
        theirDoubles[0] = sum;
        memory.set(0, step);
    }

    /**
     * Waits, at every so many steps, until the other ranks are not too far behind, so that no line is written again
     * before all have read it. Does not wait for a step before the last barrier: all have been there, and a rank that
     * received a message then has not published its step.
     */
    private void leaveNoneBehind() {
        if (step % (BareMemory.LINES / 2) == 0 && step - BareMemory.LINES / 2 >= met) {
            for (int rank = 0; rank < ranks; rank++) {
                if (rank != me) {
                    memory.await(rank, step - BareMemory.LINES / 2);
                }
            }
        }
    }

    private void allReduce() {
        step++;
        shared.putDouble(BareMemory.data(me, step), myDoubles[0]);
        memory.set(me, step);
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != me) {
                memory.await(rank, step);
            }
            sum += shared.getDouble(BareMemory.data(rank, step));
        }
        theirDoubles[0] = sum;
    }
}
