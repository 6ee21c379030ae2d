package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Distinct values, numbered from 0 in the order in which they were added. */
public final class Numbered<T> {
    private final Map<T, Integer> numbers = new LinkedHashMap<>();
    private final List<T> values = new ArrayList<>();

    public int size() {
        return values.size();
    }

    public T value(int number) {
        return values.get(number);
    }

    public int number(T value) {
        Integer known = numbers.putIfAbsent(value, values.size());
        if (known != null) {
            return known;
        }
        values.add(value);
        return values.size() - 1;
    }
}
