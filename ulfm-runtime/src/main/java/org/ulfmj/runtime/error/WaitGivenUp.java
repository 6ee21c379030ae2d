package org.ulfmj.runtime.error;

/**
 * The error, of class {@link ErrorClass#PENDING}, of a call that stopped waiting because {@code RankRuntime.giveUp} was
 * called for this rank.
 */
public final class WaitGivenUp extends CallError {
    private static final long serialVersionUID = 1L;

    public WaitGivenUp(String why) {
        super(ErrorClass.PENDING, why);
    }
}
