package org.ulfmj.benchmarks.program;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A rank's ends of two FIFOs: lines of orders come in, answers go out. A rank that waits for an order sleeps in a read,
 * outside MPI, so that it takes nothing from a job that is being measured.
 *
 * <p>This class does not use MPI, as it is compiled against more than one library.
 */
public final class Orders {
    private final BufferedReader in;
    private final FileOutputStream out;

    /** Opens the FIFOs {@code RANK.in} and {@code out} of a directory, and answers that this rank is there. */
    public Orders(String directory, int rank) throws IOException {
        in = new BufferedReader(
                new InputStreamReader(new FileInputStream(directory + "/" + rank + ".in"), StandardCharsets.US_ASCII));
        out = new FileOutputStream(directory + "/out", true);
        answer("pid " + rank + " " + ProcessHandle.current().pid());
    }

    /** Waits for the next order and returns its words; null when there are no more orders. */
    public String[] next() throws IOException {
        String line = in.readLine();
        return line == null || line.equals("quit") ? null : line.split(" ");
    }

    /** Writes the line by a single call, so that lines of several ranks do not mix. */
    public void answer(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
