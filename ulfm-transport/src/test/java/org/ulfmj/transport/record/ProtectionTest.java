package org.ulfmj.transport.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtectionTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.2, true",
        "10.0.0.1, 10.0.0.1, false",
        "127.0.0.1, 127.0.0.1, false",
        "127.0.0.1, 127.0.0.9, false",
        "10.0.0.1, 127.0.0.1, false",
        "127.0.0.1, 10.0.0.1, true",
        "fd00::1, fd00::2, true",
        "fd00::1, fd00::1, false",
        "::1, ::1, false",
        "169.254.1.1, 169.254.1.2, true"
    })
    void shouldTakeAConnectionForOneBetweenHostsByItsTwoAddresses(String local, String remote, boolean leaves)
            throws IOException {
        assertThat(Protection.leavesHost(InetAddress.getByName(local), InetAddress.getByName(remote)))
                .isEqualTo(leaves);
    }

    @ParameterizedTest
    @CsvSource({"AUTO, false", "AEAD, true", "NONE, false"})
    void shouldCoverAConnectionOnThisHostIfItIsToldToCoverAll(Protection protection, boolean covers)
            throws IOException {
        try (ServerSocketChannel door = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel caller = SocketChannel.open(door.getLocalAddress())) {
            assertThat(protection.covers(caller)).isEqualTo(covers);
        }
    }
}
