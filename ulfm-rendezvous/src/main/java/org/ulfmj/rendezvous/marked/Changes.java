package org.ulfmj.rendezvous.marked;

import org.ulfmj.rendezvous.store.StoreRequest;

/** The changes that a program asks for, as transactions (S9). */
public final class Changes {
    private Changes() {}

    public static Change set(byte[] key, byte[] sealed) {
        return new Unconditional(key, sealed);
    }

    public static Change compareAndSet(byte[] key, long version, byte[] sealed) {
        return new Conditional(key, version, sealed);
    }

    /** @param numbers makes the sum of what {@link StoreRequest.Add} adds and what is stored */
    public static Change add(byte[] key, Entry present, Numbers numbers) {
        return new Addition(key, present, numbers);
    }

    public static Change delete(byte[] key, Entry present) {
        return new Deletion(key, present);
    }

    /** Adds to what is stored. */
    public interface Numbers {
        /** @param present what is stored; null for nothing, which counts as 0 */
        long sum(Entry present);

        byte[] sealed(long sum);
    }

    private record Unconditional(byte[] key, byte[] sealed) implements Change {
        @Override
        public long addTo(Txn txn) {
            txn.thenPut(key, sealed, 0);
            return 0;
        }

        @Override
        public boolean isToTryAgain(Entry present) {
            return true;
        }
    }

    private record Conditional(byte[] key, long version, byte[] sealed) implements Change {
        @Override
        public long addTo(Txn txn) {
            txn.ifModified(key, version).thenPut(key, sealed, 0);
            return 0;
        }

        @Override
        public boolean isToTryAgain(Entry present) {
            return false;
        }
    }

    /** An addition. It keeps what the key held when it was last read, so one object serves one call. */
    private static final class Addition implements Change {
        private final byte[] key;
        private final Numbers numbers;
        private Entry present;

        Addition(byte[] key, Entry present, Numbers numbers) {
            this.key = key;
            this.present = present;
            this.numbers = numbers;
        }

        @Override
        public byte[] key() {
            return key;
        }

        @Override
        public long addTo(Txn txn) {
            long sum = numbers.sum(present);
            txn.ifModified(key, present == null ? 0 : present.modified()).thenPut(key, numbers.sealed(sum), 0);
            return sum;
        }

        @Override
        public boolean isToTryAgain(Entry now) {
            present = now;
            return true;
        }
    }

    private static final class Deletion implements Change {
        private final byte[] key;
        private Entry present;

        Deletion(byte[] key, Entry present) {
            this.key = key;
            this.present = present;
        }

        @Override
        public byte[] key() {
            return key;
        }

        @Override
        public long addTo(Txn txn) {
            txn.ifModified(key, present.modified()).thenDelete(key);
            return 0;
        }

        @Override
        public boolean isToTryAgain(Entry now) {
            present = now;
            return now != null;
        }
    }
}
