package org.ulfmj.agree.message;

/**
 * The call that a rank made when it entered an agreement. All ranks of one agreement must have made the same call.
 * Outside the recovery mode, a decision with more than one kind means a mistake of the program, and every rank is told.
 */
public enum Kind {
    AGREE("agree", true),
    AGREE_UNIFORM("agree(UNIFORM)", true),
    IAGREE("iAgree", false),
    AGREE_FAILED("agreeFailed", true),
    IAGREE_FAILED("iAgreeFailed", false),
    SHRINK("shrink", true),
    ISHRINK("iShrink", false),
    REPLACE("replace", true),
    GROW("grow", true),
    FINALIZE("Finalize", true),
    /** The second agreement of one call of agree(UNIFORM) or of a commit, which the program does not see. */
    CONFIRM_UNIFORM("agree(UNIFORM), its second half", true),
    /**
     * Rabit's commit: two agreements, as agree(UNIFORM), with a note from each rank. They decide whether a version
     * becomes the one to come back to, or whether the program ends.
     */
    COMMIT("Rabit.checkpoint", true),
    /** Rabit's summary after a failure: one or more agreements, in whose notes each rank says what it has. */
    SUMMARY("Rabit's recovery", true),
    /** An agreement about which of the listed communicators some process keeps. No program calls it. */
    HOUSEKEEPING("housekeeping", false),
    /** An agreement on hints that must be equal at all members, in a call that sets them. */
    HINTS("setInfo or dupWithInfo", true),
    /** An agreement about how a collective operation ended at each member. No program calls it. */
    OUTCOME("the outcome of a collective operation", false);

    private final String callName;
    private final boolean blocking;

    Kind(String callName, boolean blocking) {
        this.callName = callName;
        this.blocking = blocking;
    }

    /** The name of the call for texts: as a program writes it, if programs make this call. */
    public String callName() {
        return callName;
    }

    /** Whether a call does not return before a second agreement has confirmed the first. */
    public boolean isUniform() {
        return this == AGREE_UNIFORM || this == COMMIT;
    }

    /**
     * Whether this is a commit or a summary, which only the recovery mode calls. Then mixed calls are no mistake of the
     * program: a process in a commit or a summary, while another one calls replace(), learns from the decision that its
     * own call is not done, and recovers, too.
     */
    public boolean isOfRecovery() {
        return this == COMMIT || this == SUMMARY;
    }

    /**
     * Whether the call blocks. Only a decision of exactly one kind, and that a blocking one, changes the base of later
     * trees.
     */
    public boolean isBlocking() {
        return blocking;
    }
}
