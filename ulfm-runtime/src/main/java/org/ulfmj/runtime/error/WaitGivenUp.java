package org.ulfmj.runtime.error;

/** A call gave up waiting because {@code giveUp} was called: an error of class {@link ErrorClass#PENDING}. */
public final class WaitGivenUp extends CallError {
    private static final long serialVersionUID = 1L;

    public WaitGivenUp(String why) {
        super(ErrorClass.PENDING, why);
    }
}
