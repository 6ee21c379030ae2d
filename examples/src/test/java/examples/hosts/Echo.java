package examples.hosts;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * Without arguments, answers datagrams with what is in them, and prints it. With an address and a text, sends the text
 * there, and ends with 0 if it comes back soon, else with 1.
 */
final class Echo {
    private static final int PORT = 7777;
    private static final int PATIENCE_MS = 500;

    private Echo() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            answer();
        } else {
            System.exit(ask(InetAddress.getByName(arguments[0]), arguments[1]) ? 0 : 1);
        }
    }

    private static void answer() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        try (DatagramSocket socket = new DatagramSocket(PORT)) {
            System.out.println("ready");
            while (true) {
                packet.setLength(100);
                socket.receive(packet);
                System.out.println(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8));
                socket.send(packet);
            }
        }
    }

    private static boolean ask(InetAddress address, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.send(new DatagramPacket(bytes, bytes.length, new InetSocketAddress(address, PORT)));
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            try {
                socket.receive(answer);
                return true;
            } catch (SocketTimeoutException none) {
                return false;
            }
        } catch (IOException noWay) {
            System.out.println(noWay);
            return false;
        }
    }
}
