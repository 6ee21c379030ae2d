package org.ulfmj.rendezvous.etcd;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A JSON object as the gateway writes it: a field that is left out is 0, false or empty. A method that finds a value of
 * another kind throws a {@link JsonException} that names the field.
 */
final class JsonObject {
    static final JsonObject EMPTY = new JsonObject(Map.of());

    private final Map<String, Object> fields;

    JsonObject(Map<String, Object> fields) {
        this.fields = fields;
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    String text(String name) {
        return fields.get(name) == null ? "" : as(String.class, name, "a string");
    }

    /**
     * The value of a field that is a number: one of 64 bits, which the gateway writes as a string, or a smaller one,
     * which it writes as a number.
     */
    long number(String name) {
        if (fields.get(name) == null) {
            return 0;
        }
        String digits = as(String.class, name, "a number");
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new JsonException("field '" + name + "' is no whole number of 64 bits");
        }
    }

    boolean flag(String name) {
        return fields.get(name) != null && as(Boolean.class, name, "true or false");
    }

    byte[] bytes(String name) {
        try {
            return Base64.getDecoder().decode(text(name));
        } catch (IllegalArgumentException e) {
            throw new JsonException("field '" + name + "' is no Base64");
        }
    }

    JsonObject object(String name) {
        return fields.get(name) == null ? EMPTY : as(JsonObject.class, name, "an object");
    }

    List<JsonObject> objects(String name) {
        List<JsonObject> objects = new ArrayList<>();
        if (fields.get(name) != null) {
            for (Object value : as(List.class, name, "a list")) {
                if (!(value instanceof JsonObject object)) {
                    throw new JsonException("field '" + name + "' is no list of objects");
                }
                objects.add(object);
            }
        }
        return objects;
    }

    private <T> T as(Class<T> type, String name, String kind) {
        Object value = fields.get(name);
        if (!type.isInstance(value)) {
            throw new JsonException("field '" + name + "' is not " + kind);
        }
        return type.cast(value);
    }
}
