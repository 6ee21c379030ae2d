package org.ulfmj.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the streams of processes on other hosts, the credit that bounds the bytes in transit, and signals to such
 * processes.
 */
@Timeout(60)
class StreamsTest {
    private final BlockingQueue<AgentMessage> sent = new LinkedBlockingQueue<>();
    private final RemoteProcess process = new RemoteProcess(7, sent::add);

    @Test
    void shouldGiveTheBytesInOrderUntilTheEnd() throws IOException {
        process.output(true, new byte[] {1, 2, 3});
        process.output(true, new byte[] {4});
        assertThat(process.getInputStream().available()).isEqualTo(4);
        byte[] two = new byte[2];
        assertThat(process.getInputStream().read(two)).isEqualTo(2);
        assertThat(two).containsExactly(1, 2);
        assertThat(process.getInputStream().read()).isEqualTo(3);
        assertThat(process.getInputStream().read()).isEqualTo(4);
        process.output(true, new byte[0]);
        assertThat(process.getInputStream().read()).isEqualTo(-1);
        process.output(true, new byte[] {5});
        assertThat(process.getInputStream().read()).as("after its end").isEqualTo(-1);
        assertThat(sent).as("too little to tell").isEmpty();
    }

    @Test
    void shouldGiveCreditBackForWhatWasRead() throws IOException {
        byte[] piece = new byte[AgentMessage.MAX_PIECE_BYTES];
        for (int i = 0; i < 8; i++) {
            process.output(false, piece);
        }
        assertThat(process.getErrorStream().readNBytes(8 * piece.length)).hasSize(8 * piece.length);
        assertThat(sent)
                .containsExactly(
                        new AgentOrder.OutputRead(7, false, CreditedInput.CREDIT_BYTES / 4),
                        new AgentOrder.OutputRead(7, false, CreditedInput.CREDIT_BYTES / 4));
    }

    @Test
    void shouldLetAReaderWaitForBytesAndForTheEnd() throws Exception {
        BlockingQueue<Integer> read = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> {
            try {
                read.add(process.getInputStream().read());
                read.add(process.getInputStream().read());
            } catch (IOException e) {
                read.add(-2);
            }
        });
        reader.start();
        assertThat(read.poll(50, TimeUnit.MILLISECONDS)).isNull();
        process.output(true, new byte[] {9});
        assertThat(read.poll(30, TimeUnit.SECONDS)).isEqualTo(9);
        process.endStreams();
        assertThat(read.poll(30, TimeUnit.SECONDS)).isEqualTo(-1);
        reader.join();
    }

    @Test
    void shouldHoldAWriterUntilTheProcessHasRead() throws Exception {
        OutputStream stdin = process.getOutputStream();
        Thread writer = new Thread(() -> {
            try {
                stdin.write(new byte[CreditedInput.CREDIT_BYTES + 10]);
                stdin.close();
            } catch (IOException e) {
                sent.clear();
            }
        });
        writer.start();
        int bytes = 0;
        while (bytes < CreditedInput.CREDIT_BYTES) {
            bytes += ((AgentOrder.Input) sent.poll(30, TimeUnit.SECONDS)).bytes().length;
        }
        assertThat(bytes).isEqualTo(CreditedInput.CREDIT_BYTES);
        assertThat(sent.poll(50, TimeUnit.MILLISECONDS)).as("no credit").isNull();
        process.inputRead(4);
        process.inputRead(6);
        List<Integer> rest = new ArrayList<>();
        while (rest.isEmpty() || rest.get(rest.size() - 1) > 0) {
            rest.add(((AgentOrder.Input) sent.poll(30, TimeUnit.SECONDS)).bytes().length);
        }
        assertThat(rest.stream().mapToInt(Integer::intValue).sum()).isEqualTo(10);
        writer.join();
    }

    @Test
    void shouldTellAWriterThatTheProcessReadsNoMore() {
        process.inputClosed();
        assertThatThrownBy(() -> process.getOutputStream().write(1)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldAskTheAgentForSignalsUntilTheProcessHasEnded() throws Exception {
        process.started(4711);
        process.destroyForcibly();
        process.destroy();
        process.condemned();
        assertThat(sent)
                .containsExactly(
                        new AgentOrder.Signal(7, "KILL", false),
                        new AgentOrder.Signal(7, "TERM", false),
                        new AgentOrder.Condemn(7));
        assertThat(process.isAlive()).isTrue();
        assertThatThrownBy(process::exitValue).isInstanceOf(IllegalThreadStateException.class);
        process.looked('T');
        assertThat(process.state()).isEqualTo('T');
        assertThat(process.died()).isTrue();
        assertThat(process.died()).as("told twice").isFalse();
        assertThat(process.ended(137)).isTrue();
        assertThat(process.ended(1)).isFalse();
        assertThat(process.waitFor()).isEqualTo(137);
        assertThat(process.pid()).isEqualTo(4711);
        sent.clear();
        process.destroyForcibly();
        assertThat(sent).as("a pid may be another process by now").isEmpty();
    }
}
