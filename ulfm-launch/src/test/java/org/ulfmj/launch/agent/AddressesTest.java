package org.ulfmj.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which addresses the launcher offers to other hosts, and how an agent finds the one that it can reach. */
@Timeout(60)
class AddressesTest {
    private static final long SECOND_NS = 1_000_000_000;

    @Test
    void shouldTakeWhatTheUserHasChosen() throws IOException {
        assertThat(Addresses.of("lo")).contains("127.0.0.1");
        assertThat(Addresses.of("127.0.0.0/8")).containsExactly("127.0.0.1");
        assertThat(Addresses.of("10.255.255.0/24,127.0.0.1")).containsExactly("127.0.0.1");
        assertThatThrownBy(() -> Addresses.of("nosuch0"))
                .hasMessageStartingWith("ulfm.net.interface: no interface that is up fits 'nosuch0'; there are: ")
                .hasMessageContaining("127.0.0.1");
        assertThatThrownBy(() -> Addresses.of("10.0.0.0/x"))
                .hasMessage("ulfm.net.interface: '10.0.0.0/x' is no network; write one as 10.0.0.0/8 or fd00::/16");
        assertThatThrownBy(() -> Addresses.of("name/8")).hasMessageContaining("is no network");
    }

    @Test
    void shouldWriteAddressesWithoutTheNameOfAnInterface() throws IOException {
        assertThat(Addresses.literal(InetAddress.getByName("fe80::1%1"))).doesNotContain("%");
        assertThat(Addresses.literal(InetAddress.getByName("10.1.2.3"))).isEqualTo("10.1.2.3");
    }

    @Test
    void shouldFindTheAddressThatTakesAConnection() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress("127.0.0.1", 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            // Nothing listens at the first one.
            LauncherSearch.Way way = new LauncherSearch(List.of("127.0.0.3", "127.0.0.1"), port).find(20 * SECOND_NS);
            assertThat(way).isEqualTo(new LauncherSearch.Way("127.0.0.1", "127.0.0.1"));
        }
    }

    @Test
    void shouldNameAllThatWasTried() throws IOException {
        // A socket that is bound but does not listen, so that connections to its port are refused and no other process
        // gets the port.
        try (SocketChannel holder = SocketChannel.open()) {
            holder.bind(new InetSocketAddress("127.0.0.1", 0));
            int port = ((InetSocketAddress) holder.getLocalAddress()).getPort();
            assertThatThrownBy(() -> new LauncherSearch(List.of("127.0.0.1", "127.0.0.3"), port).find(20 * SECOND_NS))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(
                            "cannot reach mpiexec; tried port " + port
                                    + " of 127.0.0.1, 127.0.0.3: 127.0.0.1 (Connection refused), 127.0.0.3 (Connection refused)")
                    .hasMessageEndingWith("; ulfm.net.interface chooses the network");
        }
    }
}
