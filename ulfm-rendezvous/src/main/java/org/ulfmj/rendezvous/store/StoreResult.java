package org.ulfmj.rendezvous.store;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/** What the store answers. */
public sealed interface StoreResult {
    /** Appends the type of this result, then its fields. */
    void writeTo(WireWriter out);

    /** The change was made, and has this version; 0 if the request has changed no key. */
    record Stored(long version) implements StoreResult {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(1).putLong(version);
        }
    }

    /**
     * The value that is stored under the key.
     *
     * @param version 0 if there is no value
     */
    record Found(long version, byte[] value) implements StoreResult {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(2).putLong(version).putBlob(value);
        }

        @Override
        public String toString() {
            return "Found[" + version + ", " + value.length + " bytes]";
        }
    }

    /** The number after an addition. */
    record Sum(long sum, long version) implements StoreResult {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(3).putLong(sum).putLong(version);
        }
    }

    /**
     * Changes in the order in which they were made.
     *
     * @param next the cursor with which the watcher asks for the changes that follow
     * @param isReset whether the watcher has to forget what it knew: a deletion that it may lack is no longer in the
     *     log, and the present state follows, in this list and, if it is full, in the next ones
     */
    record Changed(StoreCursor next, boolean isReset, List<StoreChange> changes) implements StoreResult {
        public Changed {
            changes = List.copyOf(changes);
        }

        @Override
        public void writeTo(WireWriter out) {
            next.writeTo(out.putByte(4));
            out.putByte(isReset ? 1 : 0).putInt(changes.size());
            for (StoreChange change : changes) {
                change.writeTo(out);
            }
        }
    }

    /** The request was withdrawn while it waited. It had no effect. */
    record Withdrawn() implements StoreResult {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(5);
        }
    }

    /** The request had no effect, for this reason. */
    record Refused(String why) implements StoreResult {
        @Override
        public void writeTo(WireWriter out) {
            out.putByte(6).putText(why);
        }
    }

    /** @throws WireFormatException for anything that {@link #writeTo} does not write */
    static StoreResult readFrom(WireReader in) {
        int type = in.getByte();
        return switch (type) {
            case 1 -> new Stored(in.getLong());
            case 2 -> new Found(in.getLong(), in.getBlob());
            case 3 -> new Sum(in.getLong(), in.getLong());
            case 4 -> new Changed(StoreCursor.readFrom(in), StoreRequest.getFlag(in), getChanges(in));
            case 5 -> new Withdrawn();
            case 6 -> new Refused(in.getText());
            default -> throw new WireFormatException("no result of the store has type " + type);
        };
    }

    private static List<StoreChange> getChanges(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, 4 + 8 + 1, "changes");
        List<StoreChange> changes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            changes.add(StoreChange.readFrom(in));
        }
        return changes;
    }
}
