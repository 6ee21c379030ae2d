package org.ulfmj.transport;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;

/** A sink that records the frames and events that a fabric reports. */
public class Received implements FrameSink {
    /** One frame: who sent it, on which lane, its sequence number and its payload. */
    public record Item(ProcessId from, LaneKind lane, int sequence, byte[] payload) {}

    public final List<Item> frames = new ArrayList<>();
    /**
     * All events other than frames, as text: {@code drained 1}, {@code broken 1}, {@code restored 1}, {@code lifeline
     * 1}, {@code excluded 1}, {@code not me 1}.
     */
    public final List<String> events = new ArrayList<>();

    @Override
    public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
        byte[] payload = new byte[frame.payloadBytes()];
        frame.received().get(payload);
        frames.add(new Item(from, lane, Frames.numberOf(frame), payload));
    }

    @Override
    public void onDrained(ProcessId peer) {
        events.add("drained " + peer);
    }

    @Override
    public void onLinkBroken(ProcessId peer) {
        events.add("broken " + peer);
    }

    @Override
    public void onLinkRestored(ProcessId peer) {
        events.add("restored " + peer);
    }

    @Override
    public void onLifelineLost(ProcessId peer) {
        events.add("lifeline " + peer);
    }

    @Override
    public void onNotMe(ProcessId peer) {
        events.add("not me " + peer);
    }

    @Override
    public void onExcluded(ProcessId by) {
        events.add("excluded " + by);
    }

    public List<Integer> sequences() {
        List<Integer> sequences = new ArrayList<>();
        for (Item item : frames) {
            sequences.add(item.sequence());
        }
        return sequences;
    }
}
