package org.ulfmj.rendezvous.store;

import java.nio.charset.StandardCharsets;

/** How much the store takes, and the words in which it refuses more. */
public final class StoreLimits {
    public static final int MAX_KEY_BYTES = 1 << 10;
    public static final int MAX_VALUE_BYTES = 1 << 20;

    /** Keys and values of one job together, without the few small ones of the library. */
    public static final long MAX_TOTAL_BYTES = 64L << 20;

    /** The keys of the library begin so. Programs may read them and not change them. */
    private static final String OF_LIBRARY = "ulfm.";

    /** Requests of one process that are not answered. A process that has more waits before it sends the next one. */
    public static final int MAX_UNANSWERED = 64;

    /** How many of those may be requests that wait at the store: the others must be able to end their waits. */
    public static final int MAX_WAITING = 48;

    /** As {@link #MAX_UNANSWERED}, with the requests that withdraw others. */
    public static final int MAX_OPEN = 2 * MAX_UNANSWERED;

    /** A list of changes ends with the change that reaches this many bytes. The next list has the rest. */
    static final int LIST_BYTES = 1 << 20;

    /** The most changes in one list. */
    static final int LIST_CHANGES = 256;

    /** Changes that are kept although they are not the latest of their keys, or are deletions. */
    static final int PAST_CHANGES = 1 << 10;

    /** The bytes of those changes. */
    static final long PAST_BYTES = 4L << 20;

    private StoreLimits() {}

    /** The length of a key as the limits count it, in UTF-8. */
    static int keyBytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Why a key is not taken; empty if it is. */
    public static String refusalOfKey(String key) {
        int bytes = keyBytes(key);
        if (bytes == 0 || bytes > MAX_KEY_BYTES) {
            return "key '" + shortened(key) + "' has " + bytes + " bytes, 1 to " + MAX_KEY_BYTES + " are allowed";
        }
        return "";
    }

    /** Whether a key is the library's. */
    static boolean isOfLibrary(String key) {
        return key.startsWith(OF_LIBRARY);
    }

    /** Why a program may not change a key; empty if it may. */
    public static String refusalOfChange(String key) {
        return isOfLibrary(key)
                ? "key '" + shortened(key) + "' is the library's, as all that begin with '" + OF_LIBRARY + "'"
                : refusalOfKey(key);
    }

    /** Why a prefix of keys is not taken; empty if it is. The empty prefix is that of all keys. */
    public static String refusalOfPrefix(String prefix) {
        return prefix.isEmpty() ? "" : refusalOfKey(prefix);
    }

    /** Why a value of this length is not taken under this key; empty if it is. */
    public static String refusalOfValue(String key, int lengthBytes) {
        String ofKey = refusalOfKey(key);
        if (ofKey.isEmpty() && lengthBytes > MAX_VALUE_BYTES) {
            return "value of " + lengthBytes + " bytes for key '" + shortened(key) + "', at most " + MAX_VALUE_BYTES
                    + " are allowed";
        }
        return ofKey;
    }

    /** Why a value is not taken because of all that the store holds. */
    static String refusalOfTotal(String key, long growthBytes, long heldBytes) {
        return "key '" + shortened(key) + "' needs " + growthBytes + " bytes more, the store holds " + heldBytes
                + ", at most " + MAX_TOTAL_BYTES + " are allowed";
    }

    /** Returns a key for a text: a long one is cut. */
    static String shortened(String key) {
        return key.length() <= 64 ? key : key.substring(0, 64) + "…";
    }
}
