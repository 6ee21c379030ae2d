package org.ulfmj.agree.message;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/** Joiners by nonce: their union, and their bytes, a count and then each in the order of the nonces. */
final class JoinerList {
    private JoinerList() {}

    /** The joiners of both maps. If two have one nonce, the later in the order of joiners counts. */
    static SortedMap<Long, Joiner> union(SortedMap<Long, Joiner> one, SortedMap<Long, Joiner> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        SortedMap<Long, Joiner> both = new TreeMap<>(one);
        other.forEach((nonce, joiner) ->
                both.merge(nonce, joiner, (known, told) -> known.compareTo(told) >= 0 ? known : told));
        return both;
    }

    static int lengthBytes(SortedMap<Long, Joiner> joiners) {
        int length = 0;
        for (Joiner joiner : joiners.values()) {
            length += joiner.lengthBytes();
        }
        return length;
    }

    static void write(SortedMap<Long, Joiner> joiners, WireWriter out) {
        out.putInt(joiners.size());
        for (Joiner joiner : joiners.values()) {
            joiner.writeTo(out);
        }
    }

    static SortedMap<Long, Joiner> read(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, Joiner.LEAST_BYTES, "joiners");
        SortedMap<Long, Joiner> joiners = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            Joiner joiner = Joiner.readFrom(in);
            if (!joiners.isEmpty() && joiner.nonce() <= joiners.lastKey()) {
                throw new WireFormatException("joiners must ascend, got " + joiner);
            }
            joiners.put(joiner.nonce(), joiner);
        }
        return joiners;
    }
}
