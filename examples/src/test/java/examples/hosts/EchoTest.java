package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EchoTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @Test
    void shouldTakeOnlyItsOwnTextForTheAnswer() throws IOException {
        try (DatagramSocket asking = new DatagramSocket(0, HERE);
                DatagramSocket answering = new DatagramSocket(0, HERE)) {
            asking.setSoTimeout(10_000);
            DatagramPacket question = packet("a question", answering);
            answering.send(packet("another text", asking));
            assertThat(Echo.isAnswered(asking, question)).isFalse();

            answering.send(packet("a question", asking));
            assertThat(Echo.isAnswered(asking, question)).isTrue();
        }
    }

    private static DatagramPacket packet(String text, DatagramSocket to) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new DatagramPacket(bytes, bytes.length, HERE, to.getLocalPort());
    }
}
