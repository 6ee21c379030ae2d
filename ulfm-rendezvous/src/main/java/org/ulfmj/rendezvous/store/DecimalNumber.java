package org.ulfmj.rendezvous.store;

import java.nio.charset.StandardCharsets;

/** Numbers as values of the store: decimal digits, with a minus sign before those of a negative number. */
public final class DecimalNumber {
    private static final int LONGEST = 20;

    /** Thrown when a sum cannot be formed. The message names the key, and the value under it or its length. */
    public static final class NotAddable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotAddable(String message) {
            super(message);
        }
    }

    private DecimalNumber() {}

    /**
     * Returns the sum of the value under a key and an amount.
     *
     * @param present the value under the key; null for none, which counts as 0
     * @throws NotAddable if the value is no decimal number of 64 bits or has more than 20 bytes, or if the sum does not
     *     fit in 64 bits
     */
    public static long sum(String key, byte[] present, long amount) {
        try {
            return Math.addExact(present == null ? 0 : parse(present), amount);
        } catch (ArithmeticException | NumberFormatException wrong) {
            throw new NotAddable("key '" + StoreLimits.shortened(key) + "' holds " + shown(present) + ", to which "
                    + amount + " cannot be added: allowed are decimal numbers of 64 bits, and their sum must be one");
        }
    }

    /** @throws NumberFormatException if the value is no decimal number of 64 bits, or has more than 20 bytes */
    private static long parse(byte[] value) {
        if (value.length > LONGEST) {
            throw new NumberFormatException("too long");
        }
        return Long.parseLong(new String(value, StandardCharsets.US_ASCII));
    }

    public static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    /** What is stored, for a text. */
    private static String shown(byte[] present) {
        if (present == null) {
            return "nothing";
        }
        return present.length > LONGEST
                ? "a value of " + present.length + " bytes"
                : "'" + new String(present, StandardCharsets.UTF_8) + "'";
    }
}
