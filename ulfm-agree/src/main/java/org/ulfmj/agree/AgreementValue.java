package org.ulfmj.agree;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.SlotSet;

/**
 * Contributions on their way up the tree, combined. {@link #combine} is associative, commutative and idempotent, so
 * neither the shape of the tree nor the order of arrival matters, and a value may be counted twice: once inside that of
 * a parent that died, once sent again to the next one.
 *
 * @param kinds every call among the contributions, with the lowest rank that made it
 * @param flags AND of the flags, one slot a kind, so that calls that do not belong together do not mix their results
 * @param failed slots of members that some contributor holds for failed
 * @param acknowledged slots whose failure every contributor has acknowledged
 * @param storedFrom lowest agreement from which on every contributor has stored decisions
 * @param storedTo last such agreement; below {@code storedFrom} if there is none
 */
public record AgreementValue(
        SortedMap<Kind, Integer> kinds,
        SortedMap<Kind, Integer> flags,
        SlotSet failed,
        SlotSet acknowledged,
        long storedFrom,
        long storedTo) {

    /** Changes nothing it is combined with. */
    public static final AgreementValue NEUTRAL = new AgreementValue(
            Collections.emptySortedMap(), Collections.emptySortedMap(), SlotSet.EMPTY, SlotSet.ALL, 0, Long.MAX_VALUE);

    public AgreementValue {
        if (!kinds.keySet().equals(flags.keySet())) {
            throw new IllegalArgumentException("kinds " + kinds + " and flags " + flags + " differ in their kinds");
        }
        kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
        flags = Collections.unmodifiableSortedMap(new TreeMap<>(flags));
    }

    /** What one rank brings in. */
    static AgreementValue of(Contribution mine, int rank, SlotSet failed, long storedFrom, long storedTo) {
        return new AgreementValue(
                single(mine.kind(), rank),
                single(mine.kind(), mine.flag()),
                failed,
                mine.acknowledged(),
                storedFrom,
                storedTo);
    }

    AgreementValue combine(AgreementValue other) {
        return new AgreementValue(
                merged(kinds, other.kinds, true),
                merged(flags, other.flags, false),
                failed.union(other.failed),
                acknowledged.intersection(other.acknowledged),
                Math.max(storedFrom, other.storedFrom),
                Math.min(storedTo, other.storedTo));
    }

    AgreementValue withFailed(SlotSet more) {
        return failed.containsAll(more)
                ? this
                : new AgreementValue(kinds, flags, failed.union(more), acknowledged, storedFrom, storedTo);
    }

    /** The decision that this value is, once all have brought in theirs. */
    Decision toDecision() {
        return new Decision(kinds, flags, !acknowledged.containsAll(failed), failed, storedFrom, storedTo);
    }

    private static SortedMap<Kind, Integer> single(Kind kind, int value) {
        SortedMap<Kind, Integer> map = new TreeMap<>();
        map.put(kind, value);
        return map;
    }

    private static SortedMap<Kind, Integer> merged(
            SortedMap<Kind, Integer> left, SortedMap<Kind, Integer> right, boolean lowest) {
        SortedMap<Kind, Integer> merged = new TreeMap<>(left);
        for (Map.Entry<Kind, Integer> entry : right.entrySet()) {
            int value = entry.getValue();
            Integer known = merged.get(entry.getKey());
            int both = known == null ? value : lowest ? Math.min(known, value) : known & value;
            merged.put(entry.getKey(), both);
        }
        return merged;
    }
}
