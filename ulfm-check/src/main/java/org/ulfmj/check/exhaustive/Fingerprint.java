package org.ulfmj.check.exhaustive;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The state of an object of the shipped classes, as a row of numbers: the fields of every object that can be reached
 * from it, but for static ones and a few that change no behaviour. Without a clock, two objects with equal rows of the
 * same fingerprint behave alike from then on. An object of a class that is not supported is refused.
 *
 * <p>Values (most records, slot sets, enums, texts, numbers) are compared by equality, and collections and arrays by
 * their content, in their order. Any other object is represented by its fields, and where it appears again, by the
 * number of its first appearance. Not thread-safe.
 *
 * <p>With a clock, a {@code long} field whose name ends in {@code Ns} is represented only by whether its time has
 * passed, is still to come, or is one of the two extreme values of the type.
 */
public final class Fingerprint {
    /**
     * Fields that change no behaviour and are left out. No protocol depends on the order in which failures were marked.
     * What a broadcast caches follows from its failure set. An agreement and its tree cache answers that they would
     * compute again. The communicator of the last look-up only makes the next look-up short.
     */
    private static final Set<String> NOT_STATE = Set.of(
            "FailureSet.order",
            "ReliableBroadcast.cachedMembers",
            "ReliableBroadcast.cachedLive",
            "ReliableBroadcast.cachedNeighbours",
            "ReliableBroadcast.cachedGone",
            "ReliableBroadcast.cachedHolds",
            "Communicators.latest",
            "Agreements.tree",
            "Agreements.lastAnswer",
            "AgreementTree.knownChildren",
            "AgreementTree.knownSlot",
            "AgreementTree.knownGone");

    private static final ClassValue<Boolean> OPEN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents()).anyMatch(part -> part.getType() == Object.class);
        }
    };

    private static final int NULL = -1;
    private static final int SEEN = -2;
    private static final int VALUE = -3;
    private static final int MANY = -4;
    private static final int NUMBERS = -5;

    /** A number for a class, and its fields that count as state, followed by those of its superclasses. */
    private record Shape(int number, Field[] fields) {}

    /** A row of numbers, usable as a key. */
    public static final class Row {
        private final int[] numbers;
        private final int hash;

        Row(int[] numbers) {
            this.numbers = numbers;
            this.hash = Arrays.hashCode(numbers);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Row that && Arrays.equals(numbers, that.numbers);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private final LongSupplier clock;
    private final Map<Class<?>, Shape> shapes = new LinkedHashMap<>();
    private final Numbered<Object> values = new Numbered<>();
    private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
    private int[] row = new int[1024];
    private int length;

    Fingerprint() {
        this(null);
    }

    /**
     * @param clock gives the present moment, in nanoseconds; null if fields with times are compared like any other
     *     number
     */
    public Fingerprint(LongSupplier clock) {
        this.clock = clock;
    }

    public Row of(Object object) {
        seen.clear();
        length = 0;
        write(object);
        return new Row(Arrays.copyOf(row, length));
    }

    private void write(Object object) {
        if (object == null) {
            put(NULL);
        } else if (isValue(object)) {
            put(VALUE);
            put(values.number(object));
        } else if (object instanceof Map<?, ?> map) {
            put(MANY);
            put(map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                write(entry.getKey());
                write(entry.getValue());
            }
        } else if (object instanceof Collection<?> many) {
            put(MANY);
            put(many.size());
            many.forEach(this::write);
        } else if (object instanceof Object[] many) {
            write(Arrays.asList(many));
        } else if (object instanceof long[] numbers) {
            put(NUMBERS);
            put(numbers.length);
            for (long number : numbers) {
                putLong(number);
            }
        } else if (object instanceof int[] numbers) {
            put(NUMBERS);
            put(numbers.length);
            for (int number : numbers) {
                put(number);
            }
        } else {
            writeFields(object);
        }
    }

    private static boolean isValue(Object object) {
        return object instanceof Record && !isOpen(object.getClass())
                || object instanceof Enum
                || object instanceof String
                || object instanceof Number
                || object instanceof Boolean
                || object instanceof Class
                || object instanceof SlotSet
                || object instanceof SlotRuns;
    }

    /** Whether a record has a part of the declared type Object; its parts then count one by one. */
    private static boolean isOpen(Class<?> type) {
        return OPEN.get(type);
    }

    private void writeFields(Object object) {
        Integer known = seen.putIfAbsent(object, seen.size());
        if (known != null) {
            put(SEEN);
            put(known);
            return;
        }
        Shape shape = shapes.computeIfAbsent(object.getClass(), this::shapeOf);
        put(shape.number());
        for (Field field : shape.fields()) {
            try {
                writeField(object, field);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void writeField(Object object, Field field) throws IllegalAccessException {
        Class<?> type = field.getType();
        if (type == int.class) {
            put(field.getInt(object));
        } else if (type == long.class) {
            putLong(valueOf(field, field.getLong(object)));
        } else if (type == boolean.class) {
            put(field.getBoolean(object) ? 1 : 0);
        } else {
            write(field.get(object));
        }
    }

    private long valueOf(Field field, long value) {
        boolean isTime = clock != null && field.getName().endsWith("Ns");
        if (!isTime || value == Long.MAX_VALUE || value == Long.MIN_VALUE) {
            return value;
        }
        return value > clock.getAsLong() ? 1 : 0;
    }

    private Shape shapeOf(Class<?> type) {
        if (!type.getName().startsWith("org.ulfmj.") || type.isHidden()) {
            throw new IllegalStateException("no state is known how to be read from a " + type.getName());
        }
        List<Field> fields = new ArrayList<>();
        for (Class<?> at = type; at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())
                        && !NOT_STATE.contains(at.getSimpleName() + "." + field.getName())) {
                    requireKnown(field);
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return new Shape(shapes.size(), fields.toArray(new Field[0]));
    }

    private static void requireKnown(Field field) {
        Class<?> type = field.getType();
        if (type.isPrimitive() && type != int.class && type != long.class && type != boolean.class) {
            throw new IllegalStateException("no state is known how to be read from " + field);
        }
    }

    private void put(int number) {
        if (length == row.length) {
            row = Arrays.copyOf(row, 2 * length);
        }
        row[length++] = number;
    }

    private void putLong(long number) {
        put((int) (number >>> 32));
        put((int) number);
    }
}
