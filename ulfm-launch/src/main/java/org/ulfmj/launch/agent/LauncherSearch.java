package org.ulfmj.launch.agent;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the address of the launcher at which this host can reach it. The attempts begin in the order of the addresses,
 * {@value #APART_MS} ms apart, and go on side by side; the first address that accepts a connection is used. The line
 * that is then opened proves whether it is really the launcher.
 */
final class LauncherSearch {
    private static final long APART_MS = 250;
    private static final long MS = 1_000_000;

    /**
     * A network path to the launcher.
     *
     * @param launcher the launcher's address
     * @param here the address of this host on that path
     */
    record Way(String launcher, String here) {}

    private final List<String> addresses;
    private final int port;
    private final List<String> failures = new ArrayList<>();

    LauncherSearch(List<String> addresses, int port) {
        this.addresses = addresses;
        this.port = port;
    }

    /**
     * @param forNs how long to try
     * @throws IOException if no address accepts a connection in time; it names the addresses, and how those failed that
     *     refused
     */
    Way find(long forNs) throws IOException {
        long beganNs = System.nanoTime();
        List<SocketChannel> open = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            int tried = 0;
            while (System.nanoTime() - beganNs < forNs) {
                long sinceMs = (System.nanoTime() - beganNs) / MS;
                while (tried < addresses.size() && sinceMs >= tried * APART_MS) {
                    begin(addresses.get(tried++), selector, open);
                }
                selector.select(APART_MS);
                for (SelectionKey key : selector.selectedKeys()) {
                    Way way = finish(key);
                    if (way != null) {
                        return way;
                    }
                }
                selector.selectedKeys().clear();
                if (tried == addresses.size() && selector.keys().isEmpty()) {
                    break;
                }
            }
        } finally {
            for (SocketChannel each : open) {
                each.close();
            }
        }
        throw new IOException("cannot reach mpiexec; tried port " + port + " of " + String.join(", ", addresses)
                + (failures.isEmpty() ? ": no answer" : ": " + String.join(", ", failures))
                + "; ulfm.net.interface chooses the network");
    }

    private void begin(String address, Selector selector, List<SocketChannel> open) throws IOException {
        SocketChannel channel = SocketChannel.open();
        open.add(channel);
        try {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_CONNECT, address);
            if (channel.connect(new InetSocketAddress(address, port))) {
                selector.wakeup();
            }
        } catch (IOException | RuntimeException refused) {
            failures.add(address + " (" + refused.getMessage() + ")");
            channel.close();
        }
    }

    private Way finish(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        String address = (String) key.attachment();
        try {
            if (!channel.finishConnect()) {
                return null;
            }
            InetSocketAddress here = (InetSocketAddress) channel.getLocalAddress();
            return new Way(address, Addresses.literal(here.getAddress()));
        } catch (IOException refused) {
            failures.add(address + " (" + refused.getMessage() + ")");
            key.cancel();
            channel.close();
            return null;
        }
    }
}
