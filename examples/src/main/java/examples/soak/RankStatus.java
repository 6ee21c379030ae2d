package examples.soak;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The present call of a rank and the counts of its work. In memory mapped from a file, the driver can read it too, and
 * it outlives the rank: after a kill it shows what the rank noted last. To note a value takes no system call.
 */
final class RankStatus {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** The values that are noted. Times are the host's {@link System#nanoTime}, 0 for never. */
    enum Field {
        PID,
        CALL,
        CALLS,
        MESSAGES,
        BYTES,
        GENERATION,
        STEP,
        /** One bit for each rank of the world that MPI has named to this rank as failed. */
        FAILED,
        /** When the rank noticed the first failure. */
        NOTICED_NS,
        /** When this rank had last completed the first collective on the communicator of a shrink. */
        RECOVERED_NS,
        /** When Finalize returned. */
        FINALIZED_NS
    }

    private final ByteBuffer memory;

    private RankStatus(ByteBuffer memory) {
        this.memory = memory;
    }

    /** A status that only this process sees. */
    static RankStatus inMemory() {
        return new RankStatus(ByteBuffer.allocateDirect(Field.values().length * Long.BYTES));
    }

    /** A status in a file, which is made if it does not exist. */
    static RankStatus mapped(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new RankStatus(
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) Field.values().length * Long.BYTES));
        }
    }

    /** The file of a rank in the directory of a run. */
    static Path file(Path directory, int rank) {
        return directory.resolve("rank-" + rank + ".status");
    }

    long get(Field field) {
        return (long) LONGS.getVolatile(memory, field.ordinal() * Long.BYTES);
    }

    void set(Field field, long value) {
        LONGS.setRelease(memory, field.ordinal() * Long.BYTES, value);
    }

    private void add(Field field, long value) {
        LONGS.getAndAdd(memory, field.ordinal() * Long.BYTES, value);
    }

    /** A call begins. */
    void enter(SoakCall call) {
        set(Field.CALL, call.ordinal());
        add(Field.CALLS, 1);
    }

    /** The call is over. */
    void leave() {
        set(Field.CALL, SoakCall.WORKING.ordinal());
    }

    SoakCall call() {
        return SoakCall.values()[(int) get(Field.CALL)];
    }

    /** Counts messages, or results of collective calls, whose content was right. */
    void checked(long messages, long bytes) {
        add(Field.MESSAGES, messages);
        add(Field.BYTES, bytes);
    }

    void failed(int slot) {
        set(Field.FAILED, get(Field.FAILED) | 1L << slot);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Field field : Field.values()) {
            text.append(text.length() == 0 ? "" : ", ").append(field).append(' ');
            text.append(field == Field.CALL ? call() : Long.toString(get(field)));
        }
        return text.toString();
    }
}
