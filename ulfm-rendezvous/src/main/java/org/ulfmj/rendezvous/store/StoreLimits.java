package org.ulfmj.rendezvous.store;

import java.nio.charset.StandardCharsets;

/** The limits of the store, and the texts with which it refuses what exceeds them. */
public final class StoreLimits {
    public static final int MAX_KEY_BYTES = 1 << 10;
    public static final int MAX_VALUE_BYTES = 1 << 20;

    /**
     * The most bytes of all keys and values of one job together. The few small keys of the library are stored even
     * beyond this limit.
     */
    public static final long MAX_TOTAL_BYTES = 64L << 20;

    /** The prefix of the library's own keys. Programs may read them and not change them. */
    private static final String OF_LIBRARY = "ulfm.";

    /**
     * The most requests of one process that may be unanswered, not counting withdrawals sent beyond this limit. A
     * process that reaches the limit waits before it sends the next request that is no withdrawal.
     */
    public static final int MAX_UNANSWERED = 64;

    /**
     * How many of the {@link #MAX_UNANSWERED} requests may be of a kind that waits at the store for another process;
     * the rest stays free for other requests, which may end such waits.
     */
    public static final int MAX_WAITING = 48;

    /**
     * The most unanswered requests of one process including withdrawals, which may be sent beyond
     * {@link #MAX_UNANSWERED}.
     */
    public static final int MAX_OPEN = 2 * MAX_UNANSWERED;

    /** A list of changes ends with the change with which it reaches this many bytes. The next list goes on after it. */
    static final int LIST_BYTES = 1 << 20;

    /** The most changes in one list. */
    static final int LIST_CHANGES = 256;

    /** How many superseded changes and deletions the log keeps at most. */
    static final int PAST_CHANGES = 1 << 10;

    /** The bytes of those changes. */
    static final long PAST_BYTES = 4L << 20;

    private StoreLimits() {}

    /** The length of a key in UTF-8 bytes, as the limits count it. */
    static int keyBytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The text with which a key is refused; empty if the key is allowed. */
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

    /** The text with which a program's change of a key is refused; empty if the change is allowed. */
    public static String refusalOfChange(String key) {
        return isOfLibrary(key)
                ? "key '" + shortened(key) + "' is the library's, as all that begin with '" + OF_LIBRARY + "'"
                : refusalOfKey(key);
    }

    /**
     * The text with which a prefix of keys is refused; empty if the prefix is allowed. The empty prefix stands for all
     * keys.
     */
    public static String refusalOfPrefix(String prefix) {
        return prefix.isEmpty() ? "" : refusalOfKey(prefix);
    }

    /** The text with which a value of this length is refused under this key; empty if key and length are allowed. */
    public static String refusalOfValue(String key, int lengthBytes) {
        String ofKey = refusalOfKey(key);
        if (ofKey.isEmpty() && lengthBytes > MAX_VALUE_BYTES) {
            return "value of " + lengthBytes + " bytes for key '" + shortened(key) + "', at most " + MAX_VALUE_BYTES
                    + " are allowed";
        }
        return ofKey;
    }

    /**
     * The text with which a value is refused because all keys and values together would exceed
     * {@link #MAX_TOTAL_BYTES}.
     */
    static String refusalOfTotal(String key, long growthBytes, long heldBytes) {
        return "key '" + shortened(key) + "' needs " + growthBytes + " bytes more, the store holds " + heldBytes
                + ", at most " + MAX_TOTAL_BYTES + " are allowed";
    }

    /** Returns a key as it is shown in messages: of a longer one the first 64 characters and an ellipsis. */
    static String shortened(String key) {
        return key.length() <= 64 ? key : key.substring(0, 64) + "…";
    }
}
