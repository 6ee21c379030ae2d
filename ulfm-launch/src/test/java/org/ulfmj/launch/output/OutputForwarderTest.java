package org.ulfmj.launch.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
        LineSink sink = new LineSink(collecting(pieces), new LineSink.Turn(), e -> {});
        String line = "a line of some length that does not fit the buffer a whole number of times\n";
        byte[] text = line.repeat(2_000).getBytes(StandardCharsets.UTF_8);
        new OutputForwarder(new ByteArrayInputStream(text), sink, () -> new byte[0]).run();
        assertThat(String.join("", pieces)).isEqualTo(line.repeat(2_000));
        assertThat(pieces).hasSizeGreaterThan(1).allMatch(piece -> piece.endsWith("\n"));
    }

    @Test
    void shouldEndALineThatItsProcessLeftOpenBeforeAnotherOneWrites() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineSink sink = new LineSink(out, new LineSink.Turn(), e -> {});
        for (String text : List.of("killed in mid-", "whole\n", "left open")) {
            new OutputForwarder(
                            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), sink, () -> new byte[0])
                    .run();
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("killed in mid-\nwhole\nleft open");
    }

    @Test
    void shouldNotBreakALineThatIsLongerThanAPipe() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineSink sink = new LineSink(out, new LineSink.Turn(), e -> {});
        List<Thread> forwarders = new ArrayList<>();
        for (String letter : List.of("a", "b")) {
            byte[] lines = (letter.repeat(200_000) + "\n").repeat(30).getBytes(StandardCharsets.UTF_8);
            Thread forwarder =
                    new Thread(new OutputForwarder(new ByteArrayInputStream(lines), sink, () -> new byte[0]));
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
        LineSink sink = new LineSink(collecting(pieces), new LineSink.Turn(), e -> {});
        byte[] text = "x".repeat(10 << 20).getBytes(StandardCharsets.UTF_8);
        new OutputForwarder(new ByteArrayInputStream(text), sink, () -> new byte[0]).run();
        assertThat(pieces).hasSizeGreaterThan(1);
        assertThat(String.join("", pieces)).hasSize(10 << 20);
    }

    @Test
    void shouldTagAgainWhatGoesOnAfterAnotherWriterHasEndedTheLine() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineSink.Turn turn = new LineSink.Turn();
        LineSink stdout = new LineSink(out, turn, e -> {});
        LineSink stderr = new LineSink(out, turn, e -> {});
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
        LineSink sink = new LineSink(collecting(pieces), new LineSink.Turn(), e -> {});
        Thread forwarder = new Thread(new OutputForwarder(stream, sink, () -> new byte[0]));
        try (PipedOutputStream process = new PipedOutputStream(stream)) {
            forwarder.start();
            process.write("name? ".getBytes(StandardCharsets.UTF_8));
            process.flush();
            assertThat(pieces.poll(30, TimeUnit.SECONDS)).isEqualTo("name? ");
        }
        forwarder.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(forwarder.isAlive()).isFalse();
    }

    /** A bar of progress begins its line again and again, and is never silent for as long as a question is. */
    @Test
    void shouldForwardALineThatGrowsSteadily() throws Exception {
        BlockingQueue<String> pieces = new LinkedBlockingQueue<>();
        LineSink sink = new LineSink(collecting(pieces), new LineSink.Turn(), e -> {});
        PipedInputStream stream = new PipedInputStream();
        Thread forwarder = new Thread(new OutputForwarder(stream, sink, () -> new byte[0]));
        String piece = null;
        try (PipedOutputStream process = new PipedOutputStream(stream)) {
            forwarder.start();
            for (int percent = 0; percent < 600 && piece == null; percent++) {
                process.write(("\r" + percent + " %").getBytes(StandardCharsets.UTF_8));
                process.flush();
                piece = pieces.poll(50, TimeUnit.MILLISECONDS);
            }
        }
        assertThat(piece).startsWith("\r0 %\r1 %");
        forwarder.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(forwarder.isAlive()).isFalse();
    }

    @Test
    void shouldReadOnAndTellOnceWhenNobodyReadsTheOutput() {
        List<String> told = new ArrayList<>();
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ByteArrayInputStream stream =
                new ByteArrayInputStream("line\n".repeat(20_000).getBytes(StandardCharsets.UTF_8));
        new OutputForwarder(stream, new LineSink(closed, new LineSink.Turn(), e -> told.add("lost")), () -> new byte[0])
                .run();
        assertThat(told).containsExactly("lost");
        assertThat(stream.available()).isZero();
    }

    private static String forwarded(String text, String tag) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayInputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        new OutputForwarder(
                        in, new LineSink(out, new LineSink.Turn(), e -> {}), () -> tag.getBytes(StandardCharsets.UTF_8))
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
}
