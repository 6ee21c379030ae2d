package org.ulfmj.agree.message;

/**
 * What a rank called when it entered an agreement. All ranks of one agreement must have called the same: a decision
 * with more than one kind is a mistake of the program, told to everyone.
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
    /** The second agreement of one call of agree(UNIFORM), which the program does not see. */
    CONFIRM_UNIFORM("agree(UNIFORM), its second half", true),
    /** Two agreements, as agree(UNIFORM), with a note of each: shall this version be the one to come back to? */
    COMMIT("Rabit.checkpoint", true),
    /** One agreement with a note of each: what does every process have, after a failure? */
    SUMMARY("Rabit's recovery", true),
    /** Which of these communicators does anybody keep? No program calls it. */
    HOUSEKEEPING("housekeeping", false);

    private final String callName;
    private final boolean blocking;

    Kind(String callName, boolean blocking) {
        this.callName = callName;
        this.blocking = blocking;
    }

    /** As the program wrote it. */
    public String callName() {
        return callName;
    }

    /** Whether a call does not return before a second agreement has confirmed the first. */
    public boolean isUniform() {
        return this == AGREE_UNIFORM || this == COMMIT;
    }

    /**
     * Whether the recovery mode makes this call. It has no program's mistake to report when calls mix: any process that
     * commits, or asks what the others have, while another replaces the dead, learns that it is not done, and recovers
     * too.
     */
    public boolean isOfRecovery() {
        return this == COMMIT || this == SUMMARY;
    }

    /** Only a decision of exactly one kind, and that a blocking one, changes the base of later trees. */
    public boolean isBlocking() {
        return blocking;
    }
}
