package org.ulfmj.rendezvous.store;

import java.nio.charset.StandardCharsets;

/** Numbers as values of the store: decimal digits, so that every reader can read them. */
final class DecimalNumber {
    private static final int LONGEST = 20;

    private DecimalNumber() {}

    /** @throws NumberFormatException if the value is no decimal number of 64 bits */
    static long parse(byte[] value) {
        if (value.length > LONGEST) {
            throw new NumberFormatException("too long");
        }
        return Long.parseLong(new String(value, StandardCharsets.US_ASCII));
    }

    static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    /** What is stored, for a text. */
    static String shown(StoreChange present) {
        if (present == null) {
            return "nothing";
        }
        return present.value().length > LONGEST
                ? "a value of " + present.value().length + " bytes"
                : "'" + new String(present.value(), StandardCharsets.UTF_8) + "'";
    }
}
