package mpi;

import java.nio.charset.StandardCharsets;

/**
 * One change that a {@link StoreWatch} has seen.
 *
 * @param key the prefix of the watch, for {@link Kind#RESET}
 * @param version a number that no other change of the store has; a later change has a higher one; 0 for
 *     {@link Kind#RESET}
 * @param value not copied: to be read only; null unless the kind is {@link Kind#SET}
 */
public record StoreEvent(Kind kind, String key, long version, byte[] value) {
    /** What happened. */
    public enum Kind {
        /** The key has this value now. */
        SET,
        /** The key was deleted. */
        DELETED,
        /**
         * The watch has missed changes that the store does not keep any more. All that was known is to be forgotten; an
         * event for each key with the watch's prefix that is there follows.
         */
        RESET
    }

    /** Returns the value as text in UTF-8; null if there is none. */
    public String text() {
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }
}
