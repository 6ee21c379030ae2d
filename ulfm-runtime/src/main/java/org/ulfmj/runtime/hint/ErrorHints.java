package org.ulfmj.runtime.hint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;

/**
 * The hints of a communicator that say how it treats failures. All members must set the same hints. So every call that
 * may set them compares what the members gave, also at members that give none. Immutable.
 */
public final class ErrorHints {
    public static final String RANGE = "mpi_error_range";
    public static final String UNIFORM = "mpi_error_uniform";

    private static final int VALUE_BITS = 2;
    private static final int NOT_GIVEN = 3;
    private static final int ALL_BITS = (1 << 2 * VALUE_BITS) - 1;
    /**
     * The index of the lowest bit that hints do not use of the value of an agreement: this bit and the higher ones are
     * free for other uses.
     */
    public static final int FREE_BITS = 4 * VALUE_BITS;

    /** No hint is given. */
    public static final ErrorHints NONE = new ErrorHints(null, null);

    /** The hint about the range of errors; null if it is not given, or has a value that is not allowed. */
    private final ErrorRange range;

    private final ErrorUniformity uniformity;
    private final List<String> problems = new ArrayList<>(0);

    private ErrorHints(ErrorRange range, ErrorUniformity uniformity) {
        this.range = range;
        this.uniformity = uniformity;
    }

    private ErrorHints(Map<String, String> hints) {
        this.range = read(ErrorRange.class, RANGE, hints);
        this.uniformity = read(ErrorUniformity.class, UNIFORM, hints);
    }

    /** Returns the hints about errors among the given ones; null if none of them is about errors. */
    public static ErrorHints of(Map<String, String> hints) {
        return hints.containsKey(RANGE) || hints.containsKey(UNIFORM) ? new ErrorHints(hints) : null;
    }

    private <T extends Enum<T>> T read(Class<T> type, String key, Map<String, String> hints) {
        String given = hints.get(key);
        if (given == null) {
            return null;
        }
        List<String> allowed = new ArrayList<>();
        for (T value : type.getEnumConstants()) {
            String name = value.name().toLowerCase(Locale.ROOT);
            if (name.equals(given)) {
                return value;
            }
            allowed.add(name);
        }
        problems.add(key + " is \"" + given + "\"; allowed: " + String.join(", ", allowed));
        return null;
    }

    /**
     * Returns these hints, completed by {@code present} where a hint is not given here; {@code present} may be null.
     */
    public ErrorHints over(ErrorHints present) {
        return present == null
                ? this
                : new ErrorHints(
                        range == null ? present.range : range, uniformity == null ? present.uniformity : uniformity);
    }

    public ErrorRange range() {
        return range == null ? ErrorRange.LOCAL : range;
    }

    public ErrorUniformity uniformity() {
        return uniformity == null ? ErrorUniformity.LOCAL : uniformity;
    }

    /** Returns the error for hints that are not the same at all members, or have values that are not allowed. */
    public CallError refused(MessageContext communicator, String call) {
        String why = problems.isEmpty()
                ? "this rank gave " + this + ", and another member gave other values, or one that is not allowed"
                : String.join("; ", problems);
        return CallErrors.fault(
                ErrorClass.INFO_VALUE,
                communicator,
                call,
                why,
                "All members get this error, and must give the same values; nothing was done");
    }

    /**
     * Returns the bits that this rank contributes to the agreement about the hints: its values, and their complement.
     * If a value is not allowed the rank contributes 0, so that no member takes the hints for equal.
     */
    public int bits() {
        int values = code(range) | code(uniformity) << VALUE_BITS;
        return problems.isEmpty() ? values | (~values & ALL_BITS) << 2 * VALUE_BITS : 0;
    }

    private static int code(Enum<?> value) {
        return value == null ? NOT_GIVEN : value.ordinal();
    }

    /** Whether all members gave the same values, which are allowed, by the bitwise AND of the {@link #bits} of all. */
    public static boolean areEqual(int agreedBits) {
        return ((agreedBits | agreedBits >>> 2 * VALUE_BITS) & ALL_BITS) == ALL_BITS;
    }

    @Override
    public String toString() {
        return (range == null ? "no " + RANGE : RANGE + " " + range.name().toLowerCase(Locale.ROOT))
                + " and "
                + (uniformity == null
                        ? "no " + UNIFORM
                        : UNIFORM + " " + uniformity.name().toLowerCase(Locale.ROOT));
    }
}
