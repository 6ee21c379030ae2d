package org.ulfmj.detector;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;

/** An outbox that records its messages; {@link #take} returns texts such as {@code "3:Heartbeat"}. */
final class Outgoing<M> implements Outbox<ProcessId, M> {
    record Sent<M>(ProcessId to, M message) {}

    private final List<Sent<M>> sent = new ArrayList<>();

    @Override
    public void send(ProcessId to, M message) {
        sent.add(new Sent<>(to, message));
    }

    /** Returns the receiver and kind of every message since messages were last taken. */
    List<String> take() {
        return takeSent().stream()
                .map(one -> one.to() + ":" + one.message().getClass().getSimpleName())
                .toList();
    }

    List<Sent<M>> takeSent() {
        List<Sent<M>> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }
}
