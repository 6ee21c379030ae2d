package mpi;

import org.ulfmj.runtime.Communicator;

/** What {@link Comm#agree(int, AgreeMode)} guarantees about ranks that die after they have returned from it. */
public enum AgreeMode {
    /**
     * What {@link Comm#agree(int)} does: a rank returns as soon as it knows the value. All ranks that live on have the
     * same value; a rank that dies after its return may have had another one. This mode suffices wherever the value is
     * for the survivors. With fault tolerance and without a failure it takes 2(n − 1) messages, of which up to 2 log₂ n
     * come one after the other (more if hosts have unlike numbers of ranks).
     */
    EARLY_RETURNING {
        @Override
        int agree(Communicator communicator, int flag) {
            return communicator.recovery().agree(flag);
        }
    },

    /**
     * No two ranks return with different values, also if one of them dies right after its return. So if a rank has made
     * the value known outside the job, the value holds for all ranks that go on. A rank returns only when every rank
     * that lives has the value, which takes a second agreement, and so twice as many messages. A rank that dies before
     * its return has returned nothing.
     *
     * <p>If a live rank is wrongly marked failed, because it stood still for longer than {@code ulfm.fd.timeout} or was
     * cut off, that rank and the ranks that have marked it failed can still differ. That happens only if each side
     * holds the other for failed: both sides of a true split go on. {@code ulfm.ft.quorum=majority} ends the smaller
     * side at its next agreement of every rank. Then the guarantee has no exception on communicators of all processes
     * that are left.
     *
     * <p>Without fault tolerance ({@code --with-ft none}) the same as {@link #EARLY_RETURNING}: any failure ends the
     * job.
     */
    UNIFORM {
        @Override
        int agree(Communicator communicator, int flag) {
            return communicator.recovery().agreeUniformly(flag);
        }
    };

    abstract int agree(Communicator communicator, int flag);
}
