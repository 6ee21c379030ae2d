package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Distinct values, numbered from 0 in the order in which they came. */
final class Numbered<T> {
    private final Map<T, Integer> numbers = new LinkedHashMap<>();
    private final List<T> values = new ArrayList<>();

    int size() {
        return values.size();
    }

    T value(int number) {
        return values.get(number);
    }

    int number(T value) {
        Integer known = numbers.putIfAbsent(value, values.size());
        if (known != null) {
            return known;
        }
        values.add(value);
        return values.size() - 1;
    }
}
