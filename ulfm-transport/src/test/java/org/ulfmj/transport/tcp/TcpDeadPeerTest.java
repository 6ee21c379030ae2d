package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.DeadPeerContract;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.HandshakeException;

class TcpDeadPeerTest extends DeadPeerContract {
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));

    @Override
    protected World newWorld(int ranks) {
        return new TcpWorld(ranks, TIMING);
    }

    /** One step for each byte of the envelope, after which the connection may be cut. */
    @Override
    protected int stepsToSend(Frame frame) {
        return RawPeer.envelope(2, 0, frame).length;
    }

    @Override
    protected World worldWhoseOneDied(Frame whole, Frame torn, int steps) {
        return worldWhoseOneWrote(2, RawPeer.envelope(1, 0, whole), Arrays.copyOf(RawPeer.envelope(2, 0, torn), steps));
    }

    @Override
    protected Optional<World> worldWhoseOneSent(Frame whole, byte[] malformed) {
        return Optional.of(worldWhoseOneWrote(3, RawPeer.envelope(1, 0, whole), RawPeer.envelope(2, 0, malformed)));
    }

    @Override
    protected boolean isToldOfABreak() {
        return false;
    }

    /**
     * Makes a world in which rank 1 is dead, and a connection by hand in its place has written these bytes to rank 0
     * and was closed.
     */
    private static World worldWhoseOneWrote(int ranks, byte[]... writes) {
        TcpWorld world = new TcpWorld(ranks, TIMING);
        world.kill(1);
        Received early = new Received();
        try (RawPeer one = new RawPeer(world.fabric(0).port())) {
            assertThat(one.shakeHands(
                                    world.secret,
                                    TcpWorld.OPTIONS_HASH,
                                    TcpWorld.identity(1),
                                    TcpWorld.identity(0),
                                    () -> world.fabric(0).pollWithSeat(early))
                            .isAccepted())
                    .isTrue();
            for (byte[] bytes : writes) {
                one.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (HandshakeException e) {
            throw new AssertionError("a proven peer was refused", e);
        }
        assertThat(early.frames).isEmpty();
        return world;
    }
}
