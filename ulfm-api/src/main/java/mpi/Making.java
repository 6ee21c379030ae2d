package mpi;

import java.util.function.Function;
import org.ulfmj.runtime.CollectiveCall;
import org.ulfmj.runtime.Communicator;

/** A communicator that a non-blocking call is making, with the request of that call. Thread-safe. */
final class Making {
    private final CollectiveCall call;
    private final Function<Communicator, CommState> heir;
    private final Request request;
    private CommState state;

    /**
     * @param comm the communicator that the call was made on
     * @param heir makes the state of the new communicator from the runtime's communicator, once that is made
     */
    Making(Comm comm, CommState parent, CollectiveCall call, Function<Communicator, CommState> heir) {
        this(call, heir, new Request(comm, parent, call));
    }

    /** @param request of the call */
    Making(CollectiveCall call, Function<Communicator, CommState> heir, Request request) {
        this.call = call;
        this.heir = heir;
        this.request = request;
    }

    Request request() {
        return request;
    }

    /** The state of the new communicator; null until the call has made it. */
    synchronized CommState state() {
        Communicator made = call.made();
        if (state == null && made != null) {
            state = heir.apply(made);
        }
        return state;
    }
}
