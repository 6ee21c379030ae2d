package org.ulfmj.rendezvous.marked;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One transaction: comparisons, the writes that are made if all of them hold, and the keys that are read if not. A key
 * may be written once.
 */
public final class Txn {
    /** What a comparison looks at. */
    public enum Target {
        /** The revision of the key's last change; 0 for a key that does not exist. */
        MODIFIED,
        /** The revision in which the key was created; 0 for a key that does not exist. */
        CREATED,
        /** The key's value. Never equal for a key that does not exist. */
        VALUE
    }

    /**
     * A comparison, which holds if the key has this revision or value.
     *
     * @param revision compared for {@link Target#MODIFIED} and {@link Target#CREATED}
     * @param value compared for {@link Target#VALUE}
     */
    public record Compare(Target target, byte[] key, long revision, byte[] value) {}

    /**
     * A write.
     *
     * @param value null for a deletion
     * @param lease the lease with whose end the key is deleted; 0 for none
     */
    public record Write(byte[] key, byte[] value, long lease) {}

    private final List<Compare> compares = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private final List<byte[]> gets = new ArrayList<>();

    /** Compares the revision of the key's last change; 0 holds if the key does not exist. */
    public Txn ifModified(byte[] key, long revision) {
        compares.add(new Compare(Target.MODIFIED, key, revision, null));
        return this;
    }

    /** Compares the revision in which the key was created; 0 holds if the key does not exist. */
    public Txn ifCreated(byte[] key, long revision) {
        compares.add(new Compare(Target.CREATED, key, revision, null));
        return this;
    }

    /** The key exists and has this value. */
    public Txn ifValue(byte[] key, byte[] value) {
        compares.add(new Compare(Target.VALUE, key, 0, value));
        return this;
    }

    /** @param lease the lease with whose end the key is deleted; 0 for none */
    public Txn thenPut(byte[] key, byte[] value, long lease) {
        writes.add(new Write(key, value, lease));
        return this;
    }

    public Txn thenDelete(byte[] key) {
        writes.add(new Write(key, null, 0));
        return this;
    }

    /** Reads a key if a comparison fails; {@link TxnAnswer#read} has the keys in the order of these calls. */
    public Txn elseGet(byte[] key) {
        gets.add(key);
        return this;
    }

    public List<Compare> compares() {
        return Collections.unmodifiableList(compares);
    }

    public List<Write> writes() {
        return Collections.unmodifiableList(writes);
    }

    public List<byte[]> gets() {
        return Collections.unmodifiableList(gets);
    }
}
