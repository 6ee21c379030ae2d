package org.ulfmj.agree;

/**
 * How far grow() lets a world grow.
 *
 * @param most the most members that joiners may bring the world to, the same at all members; at least 1
 */
public record GrowTerms(int most) implements ChangeTerms {
    public GrowTerms {
        if (most < 1) {
            throw new IllegalArgumentException("the most members of a world are " + most + " and must be at least 1");
        }
    }
}
