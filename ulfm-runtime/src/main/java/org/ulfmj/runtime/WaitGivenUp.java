package org.ulfmj.runtime;

/** A call gave up waiting because {@link RankRuntime#giveUp} said so: a fault of class {@link ErrorClass#PENDING}. */
public final class WaitGivenUp extends Fault {
    private static final long serialVersionUID = 1L;

    WaitGivenUp(String why) {
        super(ErrorClass.PENDING, null, why);
    }
}
