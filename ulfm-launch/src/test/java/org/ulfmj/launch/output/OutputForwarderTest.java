package org.ulfmj.launch.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutputForwarderTest {
    @Test
    void shouldTagEachLineAndForwardALastOneWithoutItsEnd() {
        assertThat(forwarded("one\ntwo\n\nthree", "[1]: ")).isEqualTo("[1]: one\n[1]: two\n[1]: \n[1]: three");
    }

    @Test
    void shouldForwardBytesAsTheyAreWithoutATag() {
        String text = "naïve\r\n\u0000x\n";
        assertThat(forwarded(text, "")).isEqualTo(text);
    }

    @Test
    void shouldForwardALineLongerThanEveryBuffer() {
        String text = "x".repeat(300_000) + "\ny\n";
        assertThat(forwarded(text, "")).isEqualTo(text);
        assertThat(forwarded(text, "[0]: ")).isEqualTo("[0]: " + "x".repeat(300_000) + "\n[0]: y\n");
    }

    @Test
    void shouldHandOverWholeLinesOnly() {
        List<String> pieces = new ArrayList<>();
        String line = "a line of some length that does not fit the buffer a whole number of times\n";
        forwarder(stream(line.repeat(2_000)), sink(collecting(pieces))).run();
        assertThat(String.join("", pieces)).isEqualTo(line.repeat(2_000));
        assertThat(pieces).hasSizeGreaterThan(1).allMatch(piece -> piece.endsWith("\n"));
    }

    @Test
    void shouldEndALineThatItsProcessLeftOpenBeforeAnotherOneWrites() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineSink sink = sink(out);
        for (String text : List.of("killed in mid-", "whole\n", "left open")) {
            forwarder(stream(text), sink).run();
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("killed in mid-\nwhole\nleft open");
    }

    @Test
    void shouldNotBreakALineThatIsLongerThanAPipe() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineSink sink = sink(out);
        List<Thread> forwarders = new ArrayList<>();
        for (String letter : List.of("a", "b")) {
            String lines = (letter.repeat(200_000) + "\n").repeat(30);
            Thread forwarder = new Thread(forwarder(stream(lines), sink));
            forwarder.start();
            forwarders.add(forwarder);
        }
        for (Thread forwarder : forwarders) {
            forwarder.join(TimeUnit.SECONDS.toMillis(60));
        }
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .hasSize(60)
                .allMatch(line -> line.equals("a".repeat(200_000)) || line.equals("b".repeat(200_000)));
    }

    @Test
    void shouldForwardALineWithoutEndInPieces() {
        List<String> pieces = new ArrayList<>();
        forwarder(stream("x".repeat(10 << 20)), sink(collecting(pieces))).run();
        assertThat(pieces).hasSizeGreaterThan(1);
        assertThat(String.join("", pieces)).hasSize(10 << 20);
    }

    @Test
    void shouldTagAgainWhatGoesOnAfterAnotherWriterHasEndedTheLine() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineSink.Turn turn = new LineSink.Turn();
        LineSink stdout = new LineSink(out, turn, true, e -> {});
        LineSink stderr = new LineSink(out, turn, true, e -> {});
        write(stdout, "one", "[0]: ", "10%");
        write(stdout, "one", "[0]: ", " 20%");
        write(stderr, "two", "", "other\n");
        write(stdout, "one", "[0]: ", " done\n");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("[0]: 10% 20%\nother\n[0]:  done\n");
    }

    private static void write(LineSink sink, String writer, String tag, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        sink.write(writer, tag.getBytes(StandardCharsets.UTF_8), bytes, bytes.length);
    }

    @Test
    void shouldShowAQuestionThatEndsWithoutALine() throws Exception {
        BlockingQueue<String> pieces = new LinkedBlockingQueue<>();
        PipedInputStream stream = new PipedInputStream();
        Thread forwarder = new Thread(forwarder(stream, sink(collecting(pieces))));
        try (PipedOutputStream process = new PipedOutputStream(stream)) {
            forwarder.start();
            process.write("name? ".getBytes(StandardCharsets.UTF_8));
            process.flush();
            assertThat(pieces.poll(30, TimeUnit.SECONDS)).isEqualTo("name? ");
        }
        forwarder.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(forwarder.isAlive()).isFalse();
    }

    /**
     * Shows that a line which a program writes in two pieces, with a pause as in a first printf, is forwarded whole
     * where no person watches the output, and in pieces where one does.
     */
    @Test
    void shouldKeepALineWholeOverAPauseWhereNoPersonWatches() {
        int halfASecond = 500 / Pieces.LOOK_MS;
        List<String> pieces = new ArrayList<>();
        forwarder(new Pieces(halfASecond, List.of("rank ", "1\n").iterator()), unwatched(pieces))
                .run();
        assertThat(pieces).containsExactly("rank 1\n");
        List<String> watched = new ArrayList<>();
        forwarder(new Pieces(halfASecond, List.of("rank ", "1\n").iterator()), sink(collecting(watched)))
                .run();
        assertThat(watched).containsExactly("rank ", "1\n");
    }

    @Test
    void shouldForwardAnUnwatchedQuestionAndTheLastWordsOfAProcess() {
        for (boolean isAlive : List.of(true, false)) {
            List<String> pieces = new ArrayList<>();
            Pieces stream =
                    new Pieces(Integer.MAX_VALUE, List.of("name? ", "yes\n").iterator());
            new OutputForwarder(stream, unwatched(pieces), null, new Writer(isAlive)).run();
            assertThat(pieces).containsExactly("name? ", "yes\n");
            assertThat(stream.mostLooks * Pieces.LOOK_MS)
                    .as("ms of patience while the process lives: " + isAlive)
                    .isBetween(isAlive ? 1_000 : 100, isAlive ? 3_000 : 500);
        }
    }

    private static LineSink unwatched(Collection<String> pieces) {
        return new LineSink(collecting(pieces), new LineSink.Turn(), false, e -> {});
    }

    /**
     * Shows that a line that grows steadily is forwarded before it is finished, such as a progress bar, which is never
     * without output for as long as a question is.
     */
    @Test
    void shouldForwardALineThatGrowsSteadily() {
        List<String> pieces = new ArrayList<>();
        int most = 600;
        AtomicInteger percent = new AtomicInteger();
        Iterator<String> growing = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return percent.get() < most && pieces.stream().noneMatch(piece -> piece.matches("(?s)(\r\\d+ %){2,}"));
            }

            @Override
            public String next() {
                return "\r" + percent.getAndIncrement() + " %";
            }
        };
        forwarder(new Pieces(50 / Pieces.LOOK_MS, growing), sink(collecting(pieces)))
                .run();
        assertThat(percent).as("forwarded before the end of the line").hasValueLessThan(most);
    }

    @Test
    void shouldReadOnAndTellOnceWhenTheOutputIsNotRead() {
        List<String> told = new ArrayList<>();
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        InputStream stream = stream("line\n".repeat(20_000));
        forwarder(stream, new LineSink(closed, new LineSink.Turn(), true, e -> told.add("lost")))
                .run();
        assertThat(told).containsExactly("lost");
        assertThat(stream).isEmpty();
    }

    /** Shows that the last words of a process are waited for, also where its stream ends by an exception. */
    @Test
    void shouldNotCountAsIdleWhileItForwardsWhatCameBeforeABrokenRead() {
        InputStream broken = new InputStream() {
            private boolean isRead;

            @Override
            public int available() {
                return 1;
            }

            @Override
            public int read() throws IOException {
                throw new IOException("Stream closed");
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                if (isRead) {
                    return read();
                }
                isRead = true;
                into[offset] = 'x';
                return 1;
            }
        };
        OutputForwarder[] forwarder = new OutputForwarder[1];
        List<Boolean> idle = new ArrayList<>();
        OutputStream out = new OutputStream() {
            @Override
            public void write(int b) {
                idle.add(forwarder[0].hasBeenIdleSince(System.nanoTime()));
            }
        };
        forwarder[0] = forwarder(broken, sink(out));
        forwarder[0].run();
        assertThat(idle).containsExactly(false);
    }

    private static LineSink sink(OutputStream out) {
        return new LineSink(out, new LineSink.Turn(), true, e -> {});
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static OutputForwarder forwarder(InputStream in, LineSink sink) {
        return new OutputForwarder(in, sink, () -> new byte[0], new Writer(true));
    }

    private static String forwarded(String text, String tag) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new OutputForwarder(stream(text), sink(out), () -> tag.getBytes(StandardCharsets.UTF_8), new Writer(true))
                .run();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static OutputStream collecting(Collection<String> pieces) {
        return new OutputStream() {
            @Override
            public void write(int b) {
                pieces.add(Character.toString(b));
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                pieces.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
            }
        };
    }

    /**
     * The output of a process that writes now and then. The time between two pieces is counted in looks of the
     * forwarder, so that a busy machine, where both are late, changes nothing.
     */
    private static final class Pieces extends InputStream {
        /** The time between two looks of the forwarder. */
        static final int LOOK_MS = 10;

        private final int looksBetween;
        private final Iterator<String> pieces;
        private int looks;
        private int mostLooks;

        /** @param looksBetween how many times the forwarder looks without success before the next piece arrives */
        Pieces(int looksBetween, Iterator<String> pieces) {
            this.looksBetween = looksBetween;
            this.pieces = pieces;
        }

        @Override
        public int available() {
            looks++;
            mostLooks = Math.max(mostLooks, looks);
            return looks > looksBetween && pieces.hasNext() ? 1 : 0;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            looks = 0;
            if (!pieces.hasNext()) {
                return -1;
            }
            byte[] piece = pieces.next().getBytes(StandardCharsets.UTF_8);
            System.arraycopy(piece, 0, into, offset, piece.length);
            return piece.length;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }
    }

    /** A process of which only {@code isAlive} is implemented. */
    private static final class Writer extends Process {
        private final boolean isAlive;

        Writer(boolean isAlive) {
            this.isAlive = isAlive;
        }

        @Override
        public boolean isAlive() {
            return isAlive;
        }

        @Override
        public OutputStream getOutputStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public InputStream getInputStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public InputStream getErrorStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int waitFor() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int exitValue() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void destroy() {
            throw new UnsupportedOperationException();
        }
    }
}
