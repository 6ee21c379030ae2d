package org.ulfmj.runtime.inject;

/** The part of a call at which a planned fault comes. */
public enum CallPart {
    /** Where the call begins. */
    ENTER(""),
    /** Where the call goes on waiting after its first polls; at its end if it does not wait so long. */
    MID("/mid"),
    /** Where the call is about to release the engine's lock, mostly because it has done its work. */
    EXIT("/exit");

    private final String suffix;

    CallPart(String suffix) {
        this.suffix = suffix;
    }

    /** How a rule writes this part behind the number of a call. */
    String suffix() {
        return suffix;
    }
}
