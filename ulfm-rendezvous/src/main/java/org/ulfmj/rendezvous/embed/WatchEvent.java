package org.ulfmj.rendezvous.embed;

import java.nio.charset.StandardCharsets;

/**
 * One change that a {@link StoreWatcher} has seen, or the word that it may have missed some.
 *
 * @param key the key that has changed; the prefix of the watch for {@link Kind#RESET}
 * @param version as in {@link StoredValue}; 0 for {@link Kind#RESET}
 * @param value not copied: to be read only; null unless the kind is {@link Kind#SET}
 */
public record WatchEvent(Kind kind, String key, long version, byte[] value) {
    /** What happened. */
    public enum Kind {
        /** The key has this value now. */
        SET,
        /** The key was deleted. */
        DELETED,
        /**
         * Changes may have been missed that the store does not keep any more. The program has to forget all that it
         * knows of the keys; the present keys follow.
         */
        RESET
    }

    /** Returns the value as text in UTF-8; null if there is none. */
    public String text() {
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }
}
