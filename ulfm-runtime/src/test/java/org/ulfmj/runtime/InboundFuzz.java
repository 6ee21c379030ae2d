package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;

/**
 * Fuzzes the frames that a rank receives: damaged frames are given to a rank as those of a peer, and before every
 * second one the rank posts a receive. The rank must take the frame, or refuse it by one of two exceptions. A rank gets
 * some frames, and then a new rank takes its place.
 */
final class InboundFuzz implements FuzzTarget {
    private static final ProcessId PEER = ProcessId.of(1);
    private static final int FRAMES_PER_RANK = 50;
    private static final int MESSAGE_BYTES = 64;

    private LocalRanks ranks;
    private int left;
    private final Frame frame = new Frame();

    @Override
    public List<byte[]> samples() {
        long world = world();
        Payload eight = payload(8);
        List<byte[]> samples = new ArrayList<>();
        samples.add(bytes(frame.writeMessage(world, MessageKey.POINT_TO_POINT, 1, 7, payload(20), 20)));
        samples.add(bytes(frame.writeMessage(world, MessageKey.POINT_TO_POINT, 1, 7, payload(20), 20)
                .setSynchronous()
                .setSenderId(5)));
        samples.add(bytes(frame.writeMessage(77, MessageKey.POINT_TO_POINT, 1, 7, payload(20), 20)));
        samples.add(bytes(frame.writeOffer(world, MessageKey.POINT_TO_POINT, 1, 7, MESSAGE_BYTES)
                .setSenderId(5)));
        samples.add(bytes(frame.writeOffer(world, MessageKey.POINT_TO_POINT, 1, 7, MESSAGE_BYTES)
                .setSenderId(5)
                .setLent(3, 16, eight)));
        samples.add(bytes(frame.writeOffer(world, MessageKey.POINT_TO_POINT, 1, 7, MESSAGE_BYTES)
                .setSenderId(5)
                .setAwaitsCredit()));
        samples.add(
                bytes(frame.writeMessage(world, MessageKey.POINT_TO_POINT, 1, 7, payload(MESSAGE_BYTES), MESSAGE_BYTES)
                        .setOffered(5)));
        samples.add(bytes(frame.writeClearToSend(1, 9)));
        samples.add(bytes(frame.writeChunk(1, payload(MESSAGE_BYTES), 0, MESSAGE_BYTES)));
        samples.add(bytes(frame.writeCopied(1, MESSAGE_BYTES)));
        samples.add(bytes(frame.writeRefusal(world, 1, 5)));
        samples.add(bytes(frame.writeCredit(1 << 20)));
        samples.add(bytes(frame.writeMayAnnounce(world, 10)));
        samples.add(bytes(frame.writeDivide(1, 2, 3, 4, 5)));
        for (ControlMessage message : List.of(
                new ControlMessage.Detector(new DetectorMessage.Heartbeat()),
                new ControlMessage.Detector(new DetectorMessage.Obituary(
                        ProcessId.of(2), new Evidence(Evidence.Kind.CERTAIN, PEER, "killed"))),
                new ControlMessage.Revoke(world, 0, ranks().rank(0).world().members(), 1),
                new ControlMessage.NextRound(world, 1, 1, SlotSet.of(2)),
                new ControlMessage.ResultRequest(world, 1))) {
            byte[] control = ControlCodec.encode(message);
            samples.add(bytes(frame.writeControl(new BufferPayload(ByteBuffer.wrap(control)))));
        }
        return samples;
    }

    private static Payload payload(int count) {
        return new BufferPayload(ByteBuffer.wrap(new byte[count]));
    }

    private static byte[] bytes(Frame written) {
        ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.totalBytes(written)).order(ByteOrder.LITTLE_ENDIAN);
        FrameLayout.write(written, bytes);
        return bytes.array();
    }

    private LocalRanks ranks() {
        if (ranks == null || left == 0 || ranks.rank(0).engine().isOver()) {
            if (ranks != null) {
                ranks.close();
            }
            ranks = new LocalRanks(3);
            left = FRAMES_PER_RANK;
        }
        return ranks;
    }

    private long world() {
        return ranks().rank(0).world().id();
    }

    @Override
    public void parse(byte[] input) {
        RankRuntime rank = ranks().rank(0);
        left--;
        RankEngine engine = rank.engine();
        engine.enter();
        try {
            if (left % 2 == 0) {
                Communicator world = rank.world();
                world.receive(payload(MESSAGE_BYTES), Communicator.ANY_SOURCE, Communicator.ANY_TAG);
            }
            ByteBuffer bytes = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
            engine.inbound().onFrame(PEER, LaneKind.DATA, FrameLayout.read(frame, bytes));
        } catch (RuntimeException e) {
            left = 0;
            throw e;
        } finally {
            engine.leave();
        }
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(WireFormatException.class, IllegalStateException.class);
    }

    /** Making a new rank now and then takes memory, hence a cap that does not depend on the input. */
    @Override
    public long capBytes(int lengthBytes) {
        return 4 * 1024 * 1024;
    }
}
