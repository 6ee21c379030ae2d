package org.ulfmj.launch.doctor;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.ulfmj.launch.agent.Addresses;

/**
 * The doctor's process on one host of a job to come. It answers lines on stdin by lines on stdout, until stdin ends. It
 * also listens at a port for the doctor's processes on the other hosts, which prove that they belong to the same doctor
 * by a secret word that each has got by its stdin.
 *
 * <pre>
 *   start WORD INTERFACES         here NAME JAVA JAR PORT ADDRESS,...   or   unable WHY
 *   clock                         clock MICROSECONDS
 *   reach ADDRESS,... PORT        reached ADDRESS MICROSECONDS          or   unreached WHAT
 * </pre>
 */
public final class HostPeer {
    /**
     * The beginning of each line of an answer on stdout. Lines without it come from elsewhere, such as a shell or ssh.
     */
    static final String MARK = "mpiexec-doctor: ";

    /** Stands for no choice of interfaces. */
    static final String ALL = "-";

    private static final int ROUNDS = 30;
    private static final int PATIENCE_MS = 2_000;
    private static final int BUFFER_BYTES = 1 << 16;

    private final ServerSocket server = new ServerSocket();
    private byte[] word;

    private HostPeer() throws IOException {
        server.bind(new InetSocketAddress(0));
    }

    /** @param arguments none */
    public static void main(String[] arguments) throws IOException {
        HostPeer peer = new HostPeer();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(MARK + peer.answer(line.split(" ")));
            System.out.flush();
        }
        // Ends the process although the thread that accepts connections of other hosts may still run.
        System.exit(0);
    }

    private String answer(String... words) {
        return switch (words[0]) {
            case "start" -> start(words[1], words[2].equals(ALL) ? "" : words[2]);
            case "clock" -> "clock " + System.currentTimeMillis() * 1_000;
            case "reach" -> reach(words[1].split(","), Integer.parseInt(words[2]));
            default -> "unable unknown word " + words[0];
        };
    }

    private String start(String secret, String interfaces) {
        word = secret.getBytes(StandardCharsets.US_ASCII);
        Thread thread = new Thread(this::acceptAll, "doctor-accept");
        thread.setDaemon(true);
        thread.start();
        try {
            return String.join(
                    " ",
                    "here",
                    Files.readString(Path.of("/proc/sys/kernel/hostname")).trim(),
                    System.getProperty("java.version"),
                    jar(),
                    Integer.toString(server.getLocalPort()),
                    String.join(",", Addresses.of(interfaces)));
        } catch (IOException e) {
            return "unable " + e.getMessage();
        }
    }

    /**
     * The check sum of the jar from which this class comes, or the word {@code classes} if it comes from a directory.
     */
    private static String jar() throws IOException {
        CRC32 sum = new CRC32();
        byte[] buffer = new byte[BUFFER_BYTES];
        String jar = HostPeer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        if (Files.isDirectory(Path.of(jar))) {
            return "classes";
        }
        try (InputStream in = Files.newInputStream(Path.of(jar))) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sum.update(buffer, 0, read);
            }
        }
        return Long.toHexString(sum.getValue());
    }

    private void acceptAll() {
        while (true) {
            try {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> echo(socket), "doctor-echo");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void echo(Socket socket) {
        try (socket) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.setTcpNoDelay(true);
            byte[] told = new byte[word.length];
            new DataInputStream(socket.getInputStream()).readFully(told);
            if (MessageDigest.isEqual(told, word)) {
                OutputStream out = socket.getOutputStream();
                for (int read = socket.getInputStream().read();
                        read >= 0;
                        read = socket.getInputStream().read()) {
                    out.write(read);
                }
            }
        } catch (IOException gone) {
            // The other host tells what it sees.
        }
    }

    private String reach(String[] addresses, int port) {
        StringBuilder tried = new StringBuilder("unreached");
        for (String address : addresses) {
            try {
                return "reached " + address + " " + roundTripMicros(address, port);
            } catch (IOException e) {
                tried.append(' ')
                        .append(address)
                        .append(": ")
                        .append(e.getMessage())
                        .append(';');
            }
        }
        return tried.substring(0, tried.length() - 1);
    }

    /** The median round-trip time of a byte to another host's {@link HostPeer} and back, in microseconds. */
    private long roundTripMicros(String address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(address, port), PATIENCE_MS);
            socket.getOutputStream().write(word);
            long[] ns = new long[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                long before = System.nanoTime();
                socket.getOutputStream().write(i);
                if (socket.getInputStream().read() != i) {
                    throw new EOFException("another program answers at port " + port);
                }
                ns[i] = System.nanoTime() - before;
            }
            Arrays.sort(ns);
            return ns[ROUNDS / 2] / 1_000;
        }
    }
}
