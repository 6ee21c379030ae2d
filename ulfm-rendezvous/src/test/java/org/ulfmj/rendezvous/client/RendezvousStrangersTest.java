package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.client.ServedJob.OPTIONS;
import static org.ulfmj.rendezvous.client.ServedJob.SECOND;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.rendezvous.RunSpec;

/** Tests how little connections without the secret can cost the launcher: how many are kept, and for how long. */
@Timeout(120)
class RendezvousStrangersTest {
    private static final int MAX_STRANGERS = 256;
    private static final int CHALLENGE_BYTES = 2 + 1 + 16;
    private static final int PROOF_SECONDS = 10;

    private final ServedJob job = new ServedJob();
    private final List<Socket> strangers = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (Socket stranger : strangers) {
            stranger.close();
        }
        job.close();
    }

    private void serve() throws IOException {
        job.serve(new RunSpec("job-1", 1, OPTIONS, 60 * SECOND, 30 * SECOND));
    }

    /** Opens a connection and reads the challenge. */
    private Socket call() throws IOException {
        Socket stranger = new Socket("127.0.0.1", job.server.port());
        strangers.add(stranger);
        stranger.setSoTimeout(60_000);
        assertThat(stranger.getInputStream().readNBytes(CHALLENGE_BYTES)).hasSize(CHALLENGE_BYTES);
        return stranger;
    }

    private static void awaitCutOff(Socket stranger) throws IOException {
        InputStream in = stranger.getInputStream();
        try {
            assertThat(in.read()).as("the end").isNegative();
        } catch (SocketException reset) {
            // An end, too.
        }
    }

    @Test
    void shouldCutOffTheOldestOfTooManyAndLetTheJobIn() throws Exception {
        serve();
        for (int i = 0; i < MAX_STRANGERS + 2; i++) {
            call();
        }

        awaitCutOff(strangers.get(0));
        awaitCutOff(strangers.get(1));
        job.joining(job.request(0)).get(60, TimeUnit.SECONDS).close();
    }

    @Test
    @Tag("release")
    void shouldCutOffOneThatSaysNothingInItsTime() throws Exception {
        serve();
        long startNs = System.nanoTime();
        Socket silent = call();
        // Half a message buys no time.
        silent.getOutputStream().write(new byte[] {100, 0, 2});

        awaitCutOff(silent);

        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(PROOF_SECONDS * SECOND * 9 / 10);
        job.joining(job.request(0)).get(60, TimeUnit.SECONDS).close();
    }
}
