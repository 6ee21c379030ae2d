package examples.hosts;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Without arguments, answers each datagram with its own content, and prints it. With an address, a text and a number of
 * milliseconds, sends the text there, and exits with 0 if the text comes back within that time, else with 1.
 */
final class Echo {
    private static final int PORT = 7777;
    private static final int AGAIN_MS = 100;

    private Echo() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            answer();
        } else {
            System.exit(ask(InetAddress.getByName(arguments[0]), arguments[1], Integer.parseInt(arguments[2])) ? 0 : 1);
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

    private static boolean ask(InetAddress address, String text, int patienceMs) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long untilNs = System.nanoTime() + patienceMs * 1_000_000L;
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(AGAIN_MS);
            while (System.nanoTime() - untilNs < 0) {
                // The text is sent again and again, since datagrams may be lost while a link comes up.
                if (isAnswered(socket, new DatagramPacket(bytes, bytes.length, address, PORT))) {
                    return true;
                }
            }
        }
        return false;
    }

    static boolean isAnswered(DatagramSocket socket, DatagramPacket question) {
        try {
            socket.send(question);
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            socket.receive(answer);
            return Arrays.equals(question.getData(), 0, question.getLength(), answer.getData(), 0, answer.getLength());
        } catch (SocketTimeoutException none) {
            return false;
        } catch (IOException noWay) {
            System.out.println(noWay);
            LockSupport.parkNanos(AGAIN_MS * 1_000_000L);
            return false;
        }
    }
}
