package org.ulfmj.agree.record;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.ProcessId;

/**
 * Messages for communicators that this rank has not created yet, because a peer may have been faster. They are kept in
 * the order of arrival until the communicator is created, given up or forgotten here. The messages of a failed process
 * are dropped.
 */
public final class HeldMessages {
    /** A message and its sender. */
    public record Held(ProcessId from, ControlMessage.OfAgreement message) {}

    private final SortedMap<Long, List<Held>> byCommunicator = new TreeMap<>();
    private int size;

    public void hold(ProcessId from, ControlMessage.OfAgreement message) {
        List<Held> held = byCommunicator.get(message.communicator());
        if (held == null) {
            held = new ArrayList<>(); // without a lambda: a newcomer may begin with this
            byCommunicator.put(message.communicator(), held);
        }
        held.add(new Held(from, message));
        size++;
    }

    /** Takes out the messages that are held for a communicator, in the order of their arrival. */
    public List<Held> take(long communicator) {
        List<Held> taken = byCommunicator.remove(communicator);
        if (taken == null) {
            return List.of();
        }
        size -= taken.size();
        return taken;
    }

    public void dropFrom(ProcessId failed) {
        size = 0;
        for (List<Held> held : byCommunicator.values()) {
            held.removeIf(one -> one.from().equals(failed));
            size += held.size();
        }
        byCommunicator.values().removeIf(List::isEmpty);
    }

    public int size() {
        return size;
    }
}
