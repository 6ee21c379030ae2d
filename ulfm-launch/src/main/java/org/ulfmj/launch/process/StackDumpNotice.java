package org.ulfmj.launch.process;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Notices when a Java virtual machine writes the stacks of its threads to its stdout, as it does at SIGQUIT without
 * telling its program. The stdout itself is forwarded unchanged.
 */
public final class StackDumpNotice {
    private static final byte[] FIRST_WORDS = "Full thread dump ".getBytes(StandardCharsets.US_ASCII);

    private final Runnable onDump;
    /** How many bytes of {@link #FIRST_WORDS} the present line has matched so far; −1 if the line begins otherwise. */
    private int matched;

    /** @param onDump called when a stack dump begins, on the thread that reads the output; must return at once */
    public StackDumpNotice(Runnable onDump) {
        this.onDump = onDump;
    }

    public InputStream watch(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int count = super.read(bytes, offset, length);
                look(bytes, offset, count);
                return count;
            }
        };
    }

    private void look(byte[] bytes, int offset, int count) {
        for (int at = offset; at < offset + count; at++) {
            if (bytes[at] == '\n') {
                matched = 0;
            } else if (matched >= 0) {
                matched = bytes[at] == FIRST_WORDS[matched] ? matched + 1 : -1;
                if (matched == FIRST_WORDS.length) {
                    matched = -1;
                    onDump.run();
                }
            }
        }
    }
}
