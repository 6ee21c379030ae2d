package org.ulfmj.sim;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * Makes the hash of the content of an event, equal in every JVM for equal content in the same order, and free of names:
 * renaming a class, a component or a word of a text does not change the hash.
 *
 * <p>A record is its components, in order; an enum constant is its place. A text is for readers and does not count. The
 * type of a record is not part of its hash; {@link MessageTraits#digest} can therefore hash messages otherwise, for
 * example by their bytes.
 */
public final class ContentHash {
    private static final ClassValue<ToLongFunction<Object>> HASHES = new ClassValue<>() {
        @Override
        protected ToLongFunction<Object> computeValue(Class<?> type) {
            return hashOf(type);
        }
    };

    private ContentHash() {}

    /**
     * Returns the hash of a value; 0 for null and for texts.
     *
     * @throws IllegalArgumentException if the value, or a part of it, is of a type whose content is not known
     */
    public static long of(Object content) {
        return content == null ? 0 : HASHES.get(content.getClass()).applyAsLong(content);
    }

    /** Returns the hash of a message from its bytes on the wire, which hold the number of its type and its fields. */
    public static long ofBytes(byte[] bytes) {
        long hash = 1;
        for (byte value : bytes) {
            hash = 31 * hash + value;
        }
        return hash;
    }

    private static ToLongFunction<Object> hashOf(Class<?> type) {
        if (CharSequence.class.isAssignableFrom(type)) {
            return text -> 0;
        }
        if (Number.class.isAssignableFrom(type)) {
            return number ->
                    number instanceof Double real ? Double.doubleToLongBits(real) : ((Number) number).longValue();
        }
        if (type == Boolean.class) {
            return isTrue -> (Boolean) isTrue ? 1 : 2;
        }
        if (Enum.class.isAssignableFrom(type)) {
            return constant -> ((Enum<?>) constant).ordinal() + 1L;
        }
        if (type.isRecord()) {
            return hashOfRecord(type);
        }
        if (type.isArray()) {
            return ContentHash::ofArray;
        }
        if (Map.class.isAssignableFrom(type)) {
            return map -> ofAll(((Map<?, ?>) map)
                    .entrySet().stream().flatMap(entry -> Stream.of(entry.getKey(), entry.getValue())));
        }
        if (Iterable.class.isAssignableFrom(type)) {
            return ContentHash::ofElements;
        }
        if (type == Optional.class) {
            return optional -> of(((Optional<?>) optional).orElse(null));
        }
        return hashOfProtocolValue(type);
    }

    private static ToLongFunction<Object> hashOfRecord(Class<?> type) {
        List<Method> accessors = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            component.getAccessor().setAccessible(true);
            accessors.add(component.getAccessor());
        }
        return content -> {
            long hash = SeededRandom.mix(accessors.size());
            for (Method accessor : accessors) {
                hash = SeededRandom.mix(hash ^ of(call(accessor, content)));
            }
            return hash;
        };
    }

    private static ToLongFunction<Object> hashOfProtocolValue(Class<?> type) {
        if (type == SlotSet.class) {
            return slots -> ((SlotSet) slots).isAll() ? -1 : ofArray(((SlotSet) slots).toArray());
        }
        if (type == SlotRuns.class) {
            return slots -> ofArray(((SlotRuns) slots).toArray());
        }
        if (type == Membership.class) {
            return membership -> ofMembership((Membership) membership);
        }
        throw new IllegalArgumentException("the content of a " + type.getName() + " is not known to the log");
    }

    private static long ofMembership(Membership membership) {
        long hash = membership.epoch();
        for (int slot : membership.slots().toArray()) {
            hash = SeededRandom.mix(hash ^ of(membership.process(slot)));
        }
        return hash;
    }

    private static long ofArray(Object array) {
        long hash = Array.getLength(array);
        for (int i = 0; i < Array.getLength(array); i++) {
            hash = SeededRandom.mix(hash ^ of(Array.get(array, i)));
        }
        return hash;
    }

    private static long ofElements(Object elements) {
        List<Object> list = new ArrayList<>();
        ((Iterable<?>) elements).forEach(list::add);
        return ofAll(list.stream());
    }

    private static long ofAll(Stream<?> parts) {
        return parts.mapToLong(ContentHash::of).reduce(1, (hash, part) -> SeededRandom.mix(hash ^ part));
    }

    private static Object call(Method method, Object target) {
        try {
            return method.invoke(target);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + method, e);
        }
    }
}
