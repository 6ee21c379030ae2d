package mpi;

import java.util.Map;
import java.util.function.Supplier;
import org.ulfmj.runtime.CollectiveCall;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.hint.ErrorHints;

/**
 * Makes duplicates of a communicator. A duplicate has the error handler and the topology of the original, the
 * attributes as the copy functions of their keys make them, and the hints of the original or those that the call gives.
 * The copy functions are called before the new communicator is begun: if one throws, none is made.
 */
final class Duplication {
    private Duplication() {}

    static CommState dup(Comm comm, CommState state) {
        return dup(comm, state, state.hints(), state.communicator().creation()::dup);
    }

    static CommState dupWithInfo(Comm comm, CommState state, Info info) {
        Arguments.hints(state, "dupWithInfo", info);
        Map<String, String> hints = info == MPI.INFO_NULL ? Map.of() : info.entries("dupWithInfo");
        return dup(comm, state, hints, () -> state.communicator().creation().dupWithInfo(ErrorHints.of(hints)));
    }

    private static CommState dup(Comm comm, CommState state, Map<String, String> hints, Supplier<Communicator> call) {
        Attributes<Comm> copies = copies(comm, state);
        Communicator made;
        try {
            made = call.get();
        } catch (CallError fault) {
            drop(comm, copies, fault);
            throw fault;
        }
        return state.duplicate(made, copies, hints);
    }

    /** Begins {@link Comm#iDup}: attributes and hints are copied at once, as the communicator has them now. */
    static Making startDup(Comm comm, CommState state) {
        Attributes<Comm> copies = copies(comm, state);
        Map<String, String> hints = state.hints();
        CollectiveCall call = state.communicator().creation().startDup();
        Request request = new Request(comm, state, call) {
            @Override
            void onFailed(CallError fault) {
                drop(comm, copies, fault);
            }
        };
        return new Making(call, made -> state.duplicate(made, copies, hints), request);
    }

    private static Attributes<Comm> copies(Comm comm, CommState state) {
        Attributes<Comm> attributes = state.attributesOrNull();
        return attributes == null ? null : attributes.copiesFor(comm);
    }

    private static void drop(Comm comm, Attributes<Comm> copies, CallError fault) {
        if (copies != null) {
            copies.drop(comm, fault);
        }
    }
}
