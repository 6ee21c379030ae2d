package org.ulfmj.agree.change;

import org.ulfmj.agree.message.Kind;

/** What a caller of replace() or grow() asks for. */
public sealed interface ChangeTerms permits ReplaceTerms, GrowTerms {
    /**
     * Whether members that commit or sum up in the recovery mode come to this call next. Then a decision that mixes
     * both kinds is no mistake of the program.
     */
    boolean isOfRecovery();

    /** The kind of all agreements of the call. */
    default Kind kind() {
        return this instanceof GrowTerms ? Kind.GROW : Kind.REPLACE;
    }
}
