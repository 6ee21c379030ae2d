package org.ulfmj.agree.change;

import org.ulfmj.agree.message.Kind;

/** What a caller of replace() or grow() asks for. */
public sealed interface ChangeTerms permits ReplaceTerms, GrowTerms {
    /**
     * Whether the recovery mode may have made this call. Then members that are in a commit or a summary of the recovery
     * mode make this call next, so a decision that mixes these kinds is no mistake of the program.
     */
    boolean isOfRecovery();

    /** The kind of all agreements of the call. */
    default Kind kind() {
        return this instanceof GrowTerms ? Kind.GROW : Kind.REPLACE;
    }
}
