package org.ulfmj.rendezvous.embed;

import java.nio.charset.StandardCharsets;

/**
 * What is stored under a key.
 *
 * @param version the version of the change that stored it: no other change of the store has it, and a later change has
 *     a higher one, also after a deletion
 * @param value not copied: to be read only
 */
public record StoredValue(String key, long version, byte[] value) {
    /** Returns the value as text in UTF-8. */
    public String text() {
        return new String(value, StandardCharsets.UTF_8);
    }
}
