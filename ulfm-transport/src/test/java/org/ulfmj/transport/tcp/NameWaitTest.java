package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.session.LinkIdentity;

/** A process without a name, to which ranks 0 and 1 open connections. */
@Timeout(120)
class NameWaitTest {
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));
    private static final long NONCE = 77;
    private static final ProcessId FIVE = ProcessId.of(5);
    private static final ProcessId SIX = ProcessId.of(6);

    private final TcpWorld world = new TcpWorld(2, TIMING);
    private final Received atZero = new Received();
    private final Received atOne = new Received();
    private final Received atJoiner = new Received();
    private TcpFabric joiner;

    @AfterEach
    void close() {
        world.close();
        if (joiner != null) {
            joiner.close();
        }
    }

    private NameWait port(JobSecret secret) throws IOException {
        return new NameWait(NONCE, secret, TcpWorld.OPTIONS_HASH, Protection.AUTO, "127.0.0.1", TIMING.linkRtoNs());
    }

    private static MemberRecord called(ProcessId name, long nonce, int port) {
        return new MemberRecord(name, nonce, 0, "127.0.0.1", port, "", HostProcess.UNKNOWN);
    }

    private void poll() {
        world.fabric(0).pollWithSeat(atZero);
        world.fabric(1).pollWithSeat(atOne);
        if (joiner != null) {
            joiner.pollWithSeat(atJoiner);
        }
    }

    private ProcessId nameOf(NameWait port) throws IOException {
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (System.nanoTime() - endNs < 0) {
            poll();
            ProcessId name = port.poll(System.nanoTime());
            if (name != null) {
                return name;
            }
        }
        throw new AssertionError("never called");
    }

    /** Lets rank 0 call the process by a name. The process then becomes a rank with that name. */
    private void begin(NameWait port, List<MemberRecord> table) throws IOException {
        world.fabric(0).admit(called(FIVE, NONCE, port.port()));
        world.fabric(0).offer(FIVE, LaneKind.CONTROL, Frames.numbered(1));
        try (Selector selector = Selector.open()) {
            port.begin(selector);
            assertThat(nameOf(port)).isEqualTo(FIVE);
        }
        joiner = new TcpFabric(
                new LinkIdentity(FIVE, NONCE), world.secret, TIMING, TcpWorld.OPTIONS_HASH, port, System::nanoTime);
        joiner.takeStrangers(true);
        joiner.connect(table);
    }

    @Test
    void shouldTakeTheNameOfTheFirstCallAndReadWhatIsSentThen() throws IOException {
        try (NameWait port = port(world.secret)) {
            begin(port, List.of(world.record(0)));
            Polling.until(() -> !atJoiner.frames.isEmpty(), this::poll);
            assertThat(atJoiner.sequences()).containsExactly(1);
            assertThat(joiner.port()).isEqualTo(port.port());
            joiner.offer(ProcessId.of(0), LaneKind.DATA, Frames.numbered(2));
            Polling.until(() -> !atZero.frames.isEmpty(), this::poll);
        }
        assertThat(atZero.frames.get(0).from()).isEqualTo(FIVE);
    }

    /**
     * A newcomer may be welcomed by a process that became a member together with it, and that is in no table it was
     * given.
     */
    @Test
    void shouldHearAndAnswerAMemberThatItDoesNotKnow() throws IOException {
        try (NameWait port = port(world.secret)) {
            begin(port, List.of(world.record(0)));
            world.fabric(1).admit(called(FIVE, NONCE, port.port()));
            world.fabric(1).offer(FIVE, LaneKind.CONTROL, Frames.numbered(3));
            Polling.until(() -> atJoiner.sequences().contains(3), this::poll);
            joiner.offer(ProcessId.of(1), LaneKind.CONTROL, Frames.numbered(4));
            Polling.until(() -> !atOne.frames.isEmpty(), this::poll);
            joiner.takeStrangers(false);
            joiner.admit(world.record(1));
            joiner.offer(ProcessId.of(1), LaneKind.DATA, Frames.numbered(5));
            Polling.until(() -> atOne.frames.size() == 2, this::poll);
        }
        assertThat(atOne.sequences()).containsExactly(4, 5);
    }

    @Test
    void shouldAnswerToAnotherNameThatItIsNotMeant() throws IOException {
        try (NameWait port = port(world.secret)) {
            begin(port, List.of(world.record(0)));
            world.fabric(1).admit(called(SIX, NONCE, port.port()));
            world.fabric(1).offer(SIX, LaneKind.CONTROL, Frames.numbered(3));
            Polling.until(() -> !atOne.events.isEmpty(), this::poll);
        }
        assertThat(atOne.events).containsExactly("not me 6");
        assertThat(atJoiner.sequences()).doesNotContain(3);
    }

    @Test
    void shouldTakeNoNameFromACallOfAnotherProcessOrOfAnotherJob() throws IOException {
        try (NameWait other = port(JobSecret.random());
                NameWait port = port(world.secret);
                Selector selector = Selector.open()) {
            other.begin(selector);
            port.begin(selector);
            world.fabric(0).admit(called(SIX, NONCE, other.port()));
            world.fabric(0).offer(SIX, LaneKind.CONTROL, Frames.numbered(1));
            world.fabric(1).admit(called(SIX, NONCE + 1, port.port()));
            world.fabric(1).offer(SIX, LaneKind.CONTROL, Frames.numbered(1));
            for (int i = 0; i < 500; i++) {
                poll();
                assertThat(other.poll(System.nanoTime())).isNull();
                assertThat(port.poll(System.nanoTime())).isNull();
            }
            world.fabric(0).admit(called(FIVE, NONCE, port.port()));
            world.fabric(0).offer(FIVE, LaneKind.CONTROL, Frames.numbered(1));
            assertThat(nameOf(port)).isEqualTo(FIVE);
        }
    }
}
