package mpi;

import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/** The part that a rank plays in a collective operation with a root, which decides which buffers its call uses. */
enum RootRole {
    /** The root of an intra-communicator, which also gives or gets a part itself. */
    ROOT_AND_MEMBER(true, true),
    /**
     * The root of an inter-communicator: it gives or gets no part itself, as the parts are those of the other group.
     */
    ROOT(true, false),
    /** A rank that gives a part to the root or gets one from it, and is not the root. */
    MEMBER(false, true),
    /** A rank of the root's group in an inter-communicator, other than the root: it neither gives nor gets data. */
    BYSTANDER(false, false);

    private final boolean isRoot;
    private final boolean hasPart;

    RootRole(boolean isRoot, boolean hasPart) {
        this.isRoot = isRoot;
        this.hasPart = hasPart;
    }

    /** Checks the caller's root argument and returns the caller's role. */
    static RootRole of(CommState comm, String operation, int root) {
        Communicator communicator = comm.communicator();
        int peers = communicator.peers();
        boolean isRank = root >= 0 && root < peers;
        if (!communicator.isInter()) {
            if (!isRank) {
                throw comm.bad(ErrorClass.ROOT, operation, "root is " + root + "; allowed: 0 to " + (peers - 1));
            }
            return communicator.rank() == root ? ROOT_AND_MEMBER : MEMBER;
        }
        if (!isRank && root != MPI.ROOT && root != MPI.PROC_NULL) {
            throw comm.bad(ErrorClass.ROOT, operation, "root is " + root + "; allowed: " + allowed(peers));
        }
        return isRank ? MEMBER : root == MPI.ROOT ? ROOT : BYSTANDER;
    }

    private static String allowed(int peers) {
        return "MPI.ROOT at the root, MPI.PROC_NULL at the other ranks of its group, and in the other group "
                + (peers == 0 ? "the root's rank, of which there is none" : "the root's rank, 0 to " + (peers - 1));
    }

    /**
     * Returns the caller's role in a form of a call that only the root may use ({@code required} is true), or only the
     * other ranks; throws at a rank that must not use it.
     */
    static RootRole required(CommState comm, String operation, int root, boolean required) {
        RootRole role = of(comm, operation, root);
        if (role.isRoot != required) {
            throw wrongForm(comm, operation, root, required);
        }
        return role;
    }

    private static CallError wrongForm(CommState comm, String operation, int root, boolean required) {
        return comm.bad(
                ErrorClass.ROOT,
                operation,
                "root is " + root + " and the caller's rank "
                        + comm.communicator().rank() + "; this form is for "
                        + (required ? "the root only" : "the other ranks only"));
    }

    /** Whether the caller is the root of the collective call. */
    boolean isRoot() {
        return isRoot;
    }

    /** Whether the caller has a part: it gives one to the root, or gets one from it. */
    boolean hasPart() {
        return hasPart;
    }
}
