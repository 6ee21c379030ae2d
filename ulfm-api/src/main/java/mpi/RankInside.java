package mpi;

import org.ulfmj.api.RankAccess;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.Payload;

/** The implementation of {@link RankAccess}, which loads this class by its name. Thread-safe. */
final class RankInside extends RankAccess<Op, Datatype> {
    RankInside() {}

    @Override
    public RankRuntime join(String operation) {
        if (!MPI.isInitialized()) {
            Start.init(operation);
        }
        return Ranks.current(operation).runtime();
    }

    @Override
    public RankBinding binding() {
        return RankBinding.current();
    }

    @Override
    public void leave(String operation) {
        Rank rank = Ranks.current(operation);
        if (!rank.isFinalized()) {
            Start.finish(rank);
        }
    }

    @Override
    public String hostName() {
        return Host.name();
    }

    @Override
    public Reduction reduction(Op op, Datatype type) {
        return type.isPlain() ? op.reduction(type) : null;
    }

    @Override
    public int elementBytes(Datatype type) {
        if (!type.isPlain()) {
            throw new IllegalArgumentException(
                    "the recovery mode does not take " + type + "; allowed: datatypes without gaps");
        }
        return type.sizeBytes();
    }

    @Override
    public Payload payload(Object buffer, int count, Datatype type) {
        return new Span().set(buffer, 0, count, type);
    }

    @Override
    public Payload noPayload() {
        return new Span();
    }

    @Override
    public void point(Payload unused, Object buffer, int count, Datatype type) {
        ((Span) unused).set(buffer, 0, count, type);
    }

    @Override
    public void unpoint(Payload unused) {
        ((Span) unused).clear();
    }
}
