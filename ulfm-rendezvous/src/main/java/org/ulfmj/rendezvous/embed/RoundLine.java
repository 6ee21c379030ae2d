package org.ulfmj.rendezvous.embed;

import java.util.function.BooleanSupplier;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;

/**
 * The line of a handler for the calls of one round: it refuses calls once this process is no member of the round any
 * more.
 */
final class RoundLine implements StoreLine {
    private final StoreLine line;
    private final long round;
    private final BooleanSupplier runs;
    private volatile boolean isClosed;

    RoundLine(StoreLine line, long round, BooleanSupplier runs) {
        this.line = line;
        this.round = round;
        this.runs = runs;
    }

    @Override
    public StoreResult ask(StoreRequest request, long timeoutNs) {
        requireMember("nothing was changed");
        StoreResult result = line.ask(request, timeoutNs);
        requireMember("if the call was a change, it was made");
        return result;
    }

    private void requireMember(String effect) {
        if (isClosed) {
            throw new RendezvousFailure.Closed("the store of round " + round + " is closed");
        }
        if (!runs.getAsBoolean()) {
            throw new RendezvousFailure.Fenced("this process is no member of round " + round
                    + " any more: it left, or was out of touch with the store for longer than its lease; " + effect);
        }
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
