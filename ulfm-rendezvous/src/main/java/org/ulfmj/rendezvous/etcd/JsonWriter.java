package org.ulfmj.rendezvous.etcd;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes one JSON object for the gateway, field after field. Numbers become strings, bytes become Base64. */
final class JsonWriter {
    private final StringBuilder out = new StringBuilder("{");

    JsonWriter text(String name, String value) {
        name(name);
        string(value);
        return this;
    }

    JsonWriter number(String name, long value) {
        return text(name, Long.toString(value));
    }

    JsonWriter bytes(String name, byte[] value) {
        return text(name, Base64.getEncoder().encodeToString(value));
    }

    JsonWriter object(String name, JsonWriter value) {
        name(name);
        out.append(value);
        return this;
    }

    JsonWriter objects(String name, Iterable<JsonWriter> values) {
        name(name);
        out.append('[');
        String separator = "";
        for (JsonWriter value : values) {
            out.append(separator).append(value);
            separator = ",";
        }
        out.append(']');
        return this;
    }

    private void name(String name) {
        if (out.length() > 1) {
            out.append(',');
        }
        string(name);
        out.append(':');
    }

    private void string(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    byte[] toBytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return out + "}";
    }
}
