package org.ulfmj.testkit.invariant;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Invariant: messages of one sender in one stream are received in the order in which they were sent, none twice and
 * none left out. Requests may complete in another order: a large message that was matched first takes longer.
 */
final class MessagesArriveInOrder extends ProgramInvariant {
    private final Map<List<Object>, Integer> next = new HashMap<>();

    @Override
    void onReceived(Call call, Received received) {
        List<Object> stream = List.of(call.slot, received.senderSlot(), received.stream(), call.comm);
        int expected = received.place() >= 0 ? received.place() : next.getOrDefault(stream, 0);
        if (received.number() != expected) {
            violated(call + ": message " + received.number() + " of rank " + received.senderSlot() + " came, expected "
                    + expected);
        }
        next.put(stream, received.number() + 1);
    }
}
