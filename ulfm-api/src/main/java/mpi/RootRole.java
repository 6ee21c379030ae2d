package mpi;

import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/** What a rank is in a collective operation with a root: which of the buffers its call uses. */
enum RootRole {
    /** The root of an intra-communicator, which is also one of the ranks that have a part. */
    ROOT_AND_MEMBER(true, true),
    /** The root of an inter-communicator: the parts are those of the other group. */
    ROOT(true, false),
    /** A rank that has a part, and is not the root. */
    MEMBER(false, true),
    /** A rank of the root's group in an inter-communicator: no data passes it. */
    BYSTANDER(false, false);

    private final boolean isRoot;
    private final boolean hasPart;

    RootRole(boolean isRoot, boolean hasPart) {
        this.isRoot = isRoot;
        this.hasPart = hasPart;
    }

    /** The role of the caller, whose root argument is checked. */
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

    /** The role of the caller of a form of a call that only the root, or only the other ranks, may use. */
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

    /** Whether the caller is the root, whose buffer has the parts of all ranks. */
    boolean isRoot() {
        return isRoot;
    }

    /** Whether the caller has a part: it gives one to the root, or gets one from it. */
    boolean hasPart() {
        return hasPart;
    }
}
