package org.ulfmj.rendezvous.etcd;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON object (RFC 8259) that a server has sent. The input is limited: {@link #MAX_BYTES} in all,
 * {@link #MAX_DEPTH} objects and lists inside each other, numbers of at most {@link #MAX_NUMBER_CHARS} characters. An
 * object with two values other than null for one name is refused, as two readers could take different ones.
 *
 * <p>Values become {@link JsonObject}, {@link List}, {@link String} and {@link Boolean}; a number becomes the string of
 * its characters, because the gateway writes most numbers as strings anyway. A field that is null counts as left out; a
 * null in a list is refused.
 */
final class JsonReader {
    /** More than an answer with 16 values of 1 MiB, in Base64, takes. */
    static final int MAX_BYTES = 32 << 20;

    static final int MAX_DEPTH = 32;
    static final int MAX_NUMBER_CHARS = 64;

    private final String text;
    private int at;
    private int depth;

    private JsonReader(String text) {
        this.text = text;
    }

    /** @throws JsonException unless the bytes are one object in UTF-8 within the limits */
    static JsonObject read(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new JsonException("JSON of " + bytes.length + " bytes, at most " + MAX_BYTES + " are taken");
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new JsonException("JSON that is not UTF-8");
        }
        JsonReader reader = new JsonReader(text);
        reader.skipSpace();
        JsonObject object = reader.object();
        reader.skipSpace();
        if (reader.at < text.length()) {
            throw reader.wrong("nothing");
        }
        return object;
    }

    private JsonObject object() {
        enter('{');
        Map<String, Object> fields = new LinkedHashMap<>();
        skipSpace();
        if (!takes('}')) {
            do {
                skipSpace();
                String name = string();
                skipSpace();
                require(':');
                skipSpace();
                Object value = value();
                if (value != null && fields.put(name, value) != null) {
                    throw new JsonException(
                            "the name '" + name + "' comes twice in one object, before character " + at);
                }
                skipSpace();
            } while (takes(','));
            require('}');
        }
        depth--;
        return new JsonObject(fields);
    }

    private List<Object> list() {
        enter('[');
        List<Object> values = new ArrayList<>();
        skipSpace();
        if (!takes(']')) {
            do {
                skipSpace();
                Object value = value();
                if (value == null) {
                    throw new JsonException("null in a list, before character " + at);
                }
                values.add(value);
                skipSpace();
            } while (takes(','));
            require(']');
        }
        depth--;
        return values;
    }

    private void enter(char bracket) {
        require(bracket);
        if (++depth > MAX_DEPTH) {
            throw new JsonException("more than " + MAX_DEPTH + " objects and lists inside each other");
        }
    }

    private Object value() {
        char next = at < text.length() ? text.charAt(at) : 0;
        return switch (next) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return value;
    }

    private String number() {
        int begin = at;
        takes('-');
        if (!takes('0')) {
            digits();
        }
        if (takes('.')) {
            digits();
        }
        if (takes('e') || takes('E')) {
            if (!takes('+')) {
                takes('-');
            }
            digits();
        }
        if (at - begin > MAX_NUMBER_CHARS) {
            throw new JsonException("a number of " + (at - begin) + " characters, at most " + MAX_NUMBER_CHARS
                    + " are taken, before character " + at);
        }
        return text.substring(begin, at);
    }

    private void digits() {
        int begin = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == begin) {
            throw wrong("a value");
        }
    }

    private String string() {
        require('"');
        int plain = at;
        while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\' && text.charAt(at) >= ' ') {
            at++;
        }
        if (takes('"')) {
            return text.substring(plain, at - 1);
        }
        StringBuilder built = new StringBuilder(text.substring(plain, at));
        while (!takes('"')) {
            char next = at < text.length() ? text.charAt(at) : 0;
            if (next < ' ') {
                throw wrong("the end of a string");
            }
            at++;
            built.append(next == '\\' ? escaped() : next);
        }
        return built.toString();
    }

    private char escaped() {
        char escape = at < text.length() ? text.charAt(at) : 0;
        at++;
        return switch (escape) {
            case '"', '\\', '/' -> escape;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> {
                at--;
                throw wrong("an escape");
            }
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
            if (digit < 0 || text.charAt(at) > 'f') {
                throw wrong("four hexadecimal digits");
            }
            code = code << 4 | digit;
            at++;
        }
        return (char) code;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean takes(char expected) {
        if (at < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    private void require(char expected) {
        if (!takes(expected)) {
            throw wrong("'" + expected + "'");
        }
    }

    private JsonException wrong(String expected) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new JsonException(
                found + " at character " + at + " of " + text.length() + ", where " + expected + " was due");
    }
}
