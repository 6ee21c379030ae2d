package org.ulfmj.agree.change;

/**
 * How far grow() lets a world grow.
 *
 * @param most the most members that joiners may bring the world to, at least 1; if callers give different numbers, the
 *     least counts
 * @param isOfRecovery whether the recovery mode calls, and not the program
 */
public record GrowTerms(int most, boolean isOfRecovery) implements ChangeTerms {
    public GrowTerms {
        if (most < 1) {
            throw new IllegalArgumentException("the most members of a world are " + most + " and must be at least 1");
        }
    }

    /** The terms of a program's call. */
    public GrowTerms(int most) {
        this(most, false);
    }
}
