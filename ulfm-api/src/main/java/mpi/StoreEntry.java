package mpi;

import java.nio.charset.StandardCharsets;

/**
 * What is stored under a key, in {@link Store}.
 *
 * @param version a number that no other change of the store has; a later change has a higher one
 * @param value not copied: to be read only
 */
public record StoreEntry(String key, long version, byte[] value) {
    /** Returns the value as text in UTF-8. */
    public String text() {
        return new String(value, StandardCharsets.UTF_8);
    }
}
