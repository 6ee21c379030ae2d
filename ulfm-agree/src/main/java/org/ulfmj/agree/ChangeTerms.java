package org.ulfmj.agree;

import org.ulfmj.agree.message.Kind;

/** What a caller of replace() or grow() asks for. */
sealed interface ChangeTerms permits ReplaceTerms, GrowTerms {
    /** The kind of all agreements of the call. */
    default Kind kind() {
        return this instanceof GrowTerms ? Kind.GROW : Kind.REPLACE;
    }
}
