package org.ulfmj.rendezvous.store;

import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * What a process asks of the store. Each request has a number in its session, and is carried out at most once. Any
 * request but {@link Withdraw} may also be answered by {@link StoreResult.Refused}.
 */
public sealed interface StoreRequest {
    /** Appends the type of this request, then its fields. */
    void writeTo(WireWriter out);

    /** Whether the answer to this request may have to wait until something in the store has changed. */
    default boolean mayWait() {
        return this instanceof Changes || this instanceof Get get && get.isWaiting();
    }

    /**
     * Stores a value, in place of an earlier one if there is one. Answered by {@link StoreResult.Stored} unless it is
     * refused.
     */
    record Set(String key, byte[] value) implements StoreRequest {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(1).putText(key).putBlob(value);
        }

        @Override
        public String toString() {
            return "Set[" + key + ", " + value.length + " bytes]";
        }
    }

    /**
     * Asks for a value. Answered by {@link StoreResult.Found} unless it is refused or withdrawn.
     *
     * @param isWaiting if the key has no value: true to be answered only once it has one, false to be answered at once
     */
    record Get(String key, boolean isWaiting) implements StoreRequest {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(2).putText(key).putByte(isWaiting ? 1 : 0);
        }
    }

    /**
     * Stores a value if the key's present version equals the given one, where 0 means that the key is absent. Answered
     * by {@link StoreResult.Found} with the present value if the versions differ, else by {@link StoreResult.Stored}
     * unless the change is refused.
     */
    record CompareAndSet(String key, long version, byte[] value) implements StoreRequest {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(3).putText(key).putLong(version).putBlob(value);
        }

        @Override
        public String toString() {
            return "CompareAndSet[" + key + ", " + version + ", " + value.length + " bytes]";
        }
    }

    /**
     * Adds an amount to a value that is a decimal number; an absent value counts as 0. Answered by
     * {@link StoreResult.Sum} unless it is refused.
     */
    record Add(String key, long amount) implements StoreRequest {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(4).putText(key).putLong(amount);
        }
    }

    /**
     * Deletes a key. Answered by {@link StoreResult.Stored}, with version 0 if there was no such key, unless it is
     * refused.
     */
    record Delete(String key) implements StoreRequest {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(5).putText(key);
        }
    }

    /**
     * Asks for changes of keys with this prefix that the asker lacks. Unless it is refused or withdrawn, it is answered
     * by {@link StoreResult.Changed}, once there is such a change or the asker has to forget what it knew.
     */
    record Changes(String prefix, StoreCursor from) implements StoreRequest {
        @Override
        public void writeTo(WireWriter out) {
            from.writeTo(out.putByte(6).putText(prefix));
        }
    }

    /**
     * Ends the wait of an earlier request of the same session, which is then answered by {@link StoreResult.Withdrawn};
     * no effect if that request does not wait. This request itself is answered by {@link StoreResult.Stored} with
     * version 0.
     */
    record Withdraw(long id) implements StoreRequest {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(7).putLong(id);
        }
    }

    /** @throws WireFormatException for anything that {@link #writeTo} does not write */
    static StoreRequest readFrom(WireReader in) {
        int type = in.getByte();
        return switch (type) {
            case 1 -> new Set(in.getText(), in.getBlob());
            case 2 -> new Get(in.getText(), getFlag(in));
            case 3 -> new CompareAndSet(in.getText(), in.getLong(), in.getBlob());
            case 4 -> new Add(in.getText(), in.getLong());
            case 5 -> new Delete(in.getText());
            case 6 -> new Changes(in.getText(), StoreCursor.readFrom(in));
            case 7 -> new Withdraw(in.getLong());
            default -> throw new WireFormatException("no request to the store has type " + type);
        };
    }

    static boolean getFlag(WireReader in) {
        int flag = in.getByte();
        if (flag > 1) {
            throw new WireFormatException("a flag is " + flag);
        }
        return flag == 1;
    }
}
