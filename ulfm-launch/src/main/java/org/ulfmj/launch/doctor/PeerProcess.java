package org.ulfmj.launch.doctor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ulfmj.launch.hosts.AgentStart;
import org.ulfmj.launch.hosts.JobHosts.JobHost;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.launch.program.ShellWords;

/**
 * The doctor's connection to the {@link HostPeer} that it has started on a host: sends questions there and receives the
 * answers.
 */
final class PeerProcess implements AutoCloseable {
    private static final String SCRIPT =
            """
            [ -x "$1" ] || { echo "there is no JDK at $1" >&2; exit 126; }
            [ -r "$2" ] || { echo "there is no file $2" >&2; exit 126; }
            exec "$1" -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp "$2" org.ulfmj.launch.doctor.HostPeer
            """;

    private static final String END = "";
    private static final long MOST_SECONDS = 30;
    private static final int MOST_LINES = 10;

    private final Process process;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Deque<String> said = new ArrayDeque<>();

    /** @throws IOException if the command that reaches the host cannot be started */
    PeerProcess(JobHost host, AgentStart start, Installation ours) throws IOException {
        List<String> peer = List.of(
                "/bin/sh",
                "-c",
                SCRIPT,
                "mpiexec-doctor",
                ours.java().toString(),
                ours.jar().toString());
        List<String> command = new ArrayList<>();
        if (!host.isHere()) {
            command.addAll(start.wordsFor(List.of(host.name())));
        }
        if (host.isHere() || !start.isShell()) {
            command.addAll(peer);
        } else {
            command.add(ShellWords.quoted(peer));
        }
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread reader = new Thread(this::read, "doctor-peer");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(HostPeer.MARK)) {
                    answers.add(line.substring(HostPeer.MARK.length()));
                } else {
                    keep(line);
                }
            }
        } catch (IOException closed) {
            // The command has ended.
        }
        answers.add(END);
    }

    private void keep(String line) {
        synchronized (said) {
            said.add(line);
            if (said.size() > MOST_LINES) {
                said.remove();
            }
        }
    }

    /**
     * Sends a question to the host, and waits for its answer.
     *
     * @throws IOException if there is no answer; its message has the last other lines that the command on the host has
     *     printed
     */
    String ask(String question) throws IOException {
        send(question);
        return answer();
    }

    void send(String question) {
        try {
            OutputStream stdin = process.getOutputStream();
            stdin.write((question + "\n").getBytes(StandardCharsets.UTF_8));
            stdin.flush();
        } catch (IOException ended) {
            // What it has said tells why.
        }
    }

    String answer() throws IOException {
        try {
            String answer = answers.poll(MOST_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new IOException("no answer within " + MOST_SECONDS + " s" + words());
            }
            if (answer.equals(END)) {
                answers.add(END);
                throw new IOException("the command ended with code " + process.waitFor() + words());
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(e.toString());
        }
    }

    private String words() {
        synchronized (said) {
            return said.isEmpty() ? "" : ": " + String.join(" | ", said);
        }
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException ended) {
            // Nothing is left to be closed.
        }
        process.destroy();
    }
}
