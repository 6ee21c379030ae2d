package org.ulfmj.rendezvous.store;

import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * One change of one key.
 *
 * @param version numbers all changes of the store, from 1: a later change has a higher one, and no two changes have the
 *     same
 * @param value the new value; null if the key was deleted
 */
public record StoreChange(String key, long version, byte[] value) {
    public boolean isDeletion() {
        return value == null;
    }

    int lengthBytes() {
        return StoreLimits.keyBytes(key) + (value == null ? 0 : value.length);
    }

    void writeTo(WireWriter out) {
        out.putText(key).putLong(version).putByte(value == null ? 0 : 1);
        if (value != null) {
            out.putBlob(value);
        }
    }

    static StoreChange readFrom(WireReader in) {
        return new StoreChange(in.getText(), in.getLong(), StoreRequest.getFlag(in) ? in.getBlob() : null);
    }

    @Override
    public String toString() {
        return key + "@" + version + (value == null ? " deleted" : " " + value.length + " bytes");
    }
}
