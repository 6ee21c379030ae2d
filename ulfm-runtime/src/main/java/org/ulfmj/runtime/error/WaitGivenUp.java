package org.ulfmj.runtime.error;

/** A call gave up waiting because {@code giveUp} said so: a fault of class {@link ErrorClass#PENDING}. */
public final class WaitGivenUp extends CallError {
    private static final long serialVersionUID = 1L;

    public WaitGivenUp(String why) {
        super(ErrorClass.PENDING, why);
    }
}
