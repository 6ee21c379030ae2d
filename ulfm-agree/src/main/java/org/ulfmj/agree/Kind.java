package org.ulfmj.agree;

/**
 * What a rank called when it entered an agreement. All ranks of one agreement must have called the same: a decision with
 * more than one kind is a mistake of the program, told to everyone.
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
    CONFIRM_UNIFORM("agree(UNIFORM), its second half", true);

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

    /** Only a decision of exactly one kind, and that a blocking one, changes the base of later trees. */
    public boolean isBlocking() {
        return blocking;
    }
}
