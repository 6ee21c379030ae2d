package examples.hosts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports of the loopback interface for servers that cannot choose one themselves. Until its server binds a
 * port, the system does not use it for an outgoing connection, as by default it takes no port of this range for that.
 */
final class FreePorts {
    /** The range lies below the ports that Linux chooses by default for outgoing connections, 32768 to 60999. */
    private static final int FIRST = 20_000;

    private static final int LAST = 32_000;

    private FreePorts() {}

    static List<Integer> find(int count) {
        List<Integer> ports = new ArrayList<>();
        while (ports.size() < count) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (!ports.contains(port) && isFree(port)) {
                ports.add(port);
            }
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
