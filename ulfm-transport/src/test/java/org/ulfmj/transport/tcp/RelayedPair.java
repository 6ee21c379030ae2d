package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

/** Two ranks over TCP with a {@link Relay} before the listener of each, all driven by the test. */
final class RelayedPair implements AutoCloseable {
    /** Handshakes 200 ms, budget 1.2 s. */
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(2));

    /** By how much the fabrics' clock advances in one poll at most, however long this thread waits for a core. */
    private static final long LONGEST_STEP_NS = 1_000_000;

    /** More connections than a test makes in one direction. */
    private static final int CONNECTIONS = 1_000_000;

    final JobSecret secret = JobSecret.random();
    final TcpFabric[] fabrics = new TcpFabric[2];
    final Relay[] relays = new Relay[2];
    final Received[] received = {new Received(), new Received()};

    /** What the fabrics take for the time. */
    private long clockNs;

    private long polledNs = System.nanoTime();

    RelayedPair(Protection ofZero, Protection ofOne) throws IOException {
        this(ofZero, ofOne, true);
    }

    RelayedPair(Protection ofZero, Protection ofOne, boolean areResumed) throws IOException {
        for (int slot = 0; slot < 2; slot++) {
            fabrics[slot] = new TcpFabric(
                    TcpWorld.identity(slot), secret, TIMING, TcpWorld.OPTIONS_HASH, "127.0.0.1", () -> clockNs);
            fabrics[slot].resumeLinks(areResumed);
            fabrics[slot].protect(slot == 0 ? ofZero : ofOne);
            boolean hasRecords = ofZero == Protection.AEAD || ofOne == Protection.AEAD;
            relays[slot] = new Relay(fabrics[slot].port(), hasRecords, slot * CONNECTIONS);
        }
        for (TcpFabric fabric : fabrics) {
            fabric.connect(List.of(TcpWorld.record(0, relays[0].port(), ""), TcpWorld.record(1, relays[1].port(), "")));
        }
    }

    int connections() {
        return relays[0].connections() + relays[1].connections();
    }

    void meddle(Relay.Meddler meddler) {
        for (Relay relay : relays) {
            relay.meddler = meddler;
        }
    }

    void poll() {
        long nowNs = System.nanoTime();
        clockNs += Math.min(nowNs - polledNs, LONGEST_STEP_NS);
        polledNs = nowNs;
        for (int slot = 0; slot < 2; slot++) {
            fabrics[slot].pollWithSeat(received[slot]);
            relays[slot].poll();
        }
    }

    void pollUntil(BooleanSupplier condition) {
        Polling.until(condition, this::poll);
    }

    void send(int from, int number, byte[] payload) {
        pollUntil(() -> fabrics[from].offer(ProcessId.of(1 - from), LaneKind.DATA, Frames.numbered(number, payload)));
    }

    /**
     * Sends frames of many lengths in both directions and waits until all have arrived. Returns the number of payload
     * bytes that each rank has sent.
     */
    int exchange(int frames) {
        int before = received[0].frames.size();
        int bytes = 0;
        for (int i = before; i < before + frames; i++) {
            byte[] payload = payload(i);
            bytes += payload.length;
            send(0, i, payload);
            send(1, i, payload);
            poll();
        }
        pollUntil(() -> received[0].frames.size() >= before + frames && received[1].frames.size() >= before + frames);
        return bytes;
    }

    static byte[] payload(int number) {
        int length = number % 10 == 9 ? 100_000 + number : 37 * number % 3_000;
        return Frames.bytes(length, number);
    }

    /** Whether all frames that have arrived are as they were sent, in order and once. */
    boolean isRight() {
        for (Received each : received) {
            for (int i = 0; i < each.frames.size(); i++) {
                Received.Item item = each.frames.get(i);
                if (item.sequence() != i || !Arrays.equals(item.payload(), payload(i))) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        for (int slot = 0; slot < 2; slot++) {
            fabrics[slot].close();
            relays[slot].close();
        }
    }
}
