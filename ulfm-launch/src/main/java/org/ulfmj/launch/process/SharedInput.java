package org.ulfmj.launch.process;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies the launcher's stdin to one or more processes. All get the same bytes, at the pace of the slowest reader. A
 * process that has ended or has closed its stdin is left out. A thread of this class reads; processes are added by one
 * thread, before {@link #start}.
 */
public final class SharedInput implements Runnable {
    private static final int PIECE_BYTES = 16 << 10;

    private final List<OutputStream> readers = new ArrayList<>();

    /** @param stdin of a process */
    public void add(OutputStream stdin) {
        readers.add(stdin);
    }

    /** Begins to copy, unless stdin is a terminal and the launcher is in the background. */
    public void start() {
        if (TerminalInput.isOthers()) {
            return;
        }
        Thread thread = new Thread(this, "stdin");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        byte[] piece = new byte[PIECE_BYTES];
        try (FileInputStream in = new FileInputStream(FileDescriptor.in)) {
            for (int length = in.read(piece); length >= 0 && !readers.isEmpty(); length = in.read(piece)) {
                pass(piece, length);
            }
        } catch (IOException e) {
            // An error of reading counts as the end of the input.
        }
        for (OutputStream reader : readers) {
            close(reader);
        }
    }

    private void pass(byte[] piece, int length) {
        for (OutputStream reader : List.copyOf(readers)) {
            try {
                reader.write(piece, 0, length);
                reader.flush();
            } catch (IOException e) {
                readers.remove(reader);
                close(reader);
            }
        }
    }

    private static void close(OutputStream reader) {
        try {
            reader.close();
        } catch (IOException e) {
            // Its process has ended.
        }
    }
}
