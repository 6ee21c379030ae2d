package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * What a rank can give to others, as its summary says it.
 *
 * @param bootstrap number of results of the bootstrap phase, from the first on
 * @param logVersion the version that {@code results} belong to
 * @param results numbers of the results in the log
 * @param checkpoint version of the committed model; 0 for none
 * @param crc checksum of that model's bytes; 0 while it is a reference
 * @param checkpointBytes length of that model; −1 while it is a reference
 * @param locals owners of the local models of that version, ascending
 * @param spilled versions that lie on a disk that this rank reads, ascending
 */
public record Holdings(
        int bootstrap,
        int logVersion,
        Runs results,
        int checkpoint,
        int crc,
        long checkpointBytes,
        List<Integer> locals,
        List<Integer> spilled) {
    /** The holdings of a process that has just begun and has no files on a disk. */
    public static final Holdings NONE = new Holdings(0, 0, Runs.NONE, 0, 0, 0, List.of(), List.of());

    boolean hasResult(int version, long sequence) {
        return logVersion == version && results.contains(sequence);
    }

    boolean hasLocal(int version, int owner) {
        return checkpoint == version && locals.contains(owner);
    }

    void writeTo(WireWriter out) {
        out.putInt(bootstrap).putInt(logVersion);
        results.writeTo(out);
        out.putInt(checkpoint).putInt(crc).putLong(checkpointBytes);
        writeNumbers(out, locals);
        writeNumbers(out, spilled);
    }

    static Holdings readFrom(WireReader in) {
        return new Holdings(
                in.getInt(),
                in.getInt(),
                Runs.readFrom(in),
                in.getInt(),
                in.getInt(),
                in.getLong(),
                readNumbers(in),
                readNumbers(in));
    }

    private static void writeNumbers(WireWriter out, List<Integer> numbers) {
        out.putInt(numbers.size());
        for (int number : numbers) {
            out.putInt(number);
        }
    }

    private static List<Integer> readNumbers(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, Integer.BYTES, "numbers");
        List<Integer> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(in.getInt());
        }
        return List.copyOf(numbers);
    }
}
