package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static JsonObject read(String text) {
        return JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldReadWhatTheGatewayWrites() {
        JsonObject answer = read(
                " {\"header\":{\"revision\":\"9223372036854775807\"},\"kvs\":[{\"key\":\"YQ==\"},{}],"
                        + "\"succeeded\":true,\"code\":-5,\"gone\":null,\"text\":\"a\\\"\\\\\\/\\n\\u00fc\\ud83d\\ude80\"}\r\n");
        assertThat(answer.object("header").number("revision")).isEqualTo(Long.MAX_VALUE);
        assertThat(answer.objects("kvs")).hasSize(2);
        assertThat(answer.objects("kvs").get(0).bytes("key")).containsExactly('a');
        assertThat(answer.flag("succeeded")).isTrue();
        assertThat(answer.number("code")).isEqualTo(-5);
        assertThat(answer.text("text")).isEqualTo("a\"\\/\nü\ud83d\ude80");
    }

    @Test
    void shouldTakeWhatIsLeftOutForNothing() {
        JsonObject empty = read("{\"null\":null}");
        assertThat(empty.has("null")).isFalse();
        assertThat(empty.text("t")).isEmpty();
        assertThat(empty.number("n")).isZero();
        assertThat(empty.flag("f")).isFalse();
        assertThat(empty.bytes("b")).isEmpty();
        assertThat(empty.objects("l")).isEmpty();
        assertThat(empty.object("o").object("p").number("q")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "1",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,}",
                "{a:1}",
                "{\"a\":01}",
                "{\"a\":1.}",
                "{\"a\":1e}",
                "{\"a\":+1}",
                "{\"a\":tru}",
                "{\"a\":\"",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\u0001\"}",
                "{} {}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":[null]}",
                "{\"a\":[1,]}",
                "{\"a\":[1",
                "{\"a\":NaN}",
                "{\"a\":-}",
                "\ufeff{}"
            })
    void shouldRefuseWhatIsNoObject(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(JsonException.class);
    }

    @Test
    void shouldSayWhatIsWrongAndWhere() {
        assertThatThrownBy(() -> read("{\"a\" 1}")).hasMessage("'1' at character 5 of 7, where ':' was due");
        assertThatThrownBy(() -> read("{\"a\":")).hasMessage("the end at character 5 of 5, where a value was due");
        JsonObject object = read("{\"a\":\"x\",\"b\":[1],\"c\":{}}");
        assertThatThrownBy(() -> object.number("a")).hasMessage("field 'a' is no whole number of 64 bits");
        assertThatThrownBy(() -> object.bytes("a")).hasMessage("field 'a' is no Base64");
        assertThatThrownBy(() -> object.objects("b")).hasMessage("field 'b' is no list of objects");
        assertThatThrownBy(() -> object.text("c")).hasMessage("field 'c' is not a string");
        assertThatThrownBy(() -> object.flag("a")).hasMessage("field 'a' is not true or false");
        assertThatThrownBy(() -> object.objects("c")).hasMessage("field 'c' is not a list");
        assertThatThrownBy(() -> object.object("b")).hasMessage("field 'b' is not an object");
    }

    @Test
    void shouldHaveLimits() {
        String inside = "{\"a\":".repeat(31) + "1" + "}".repeat(31);
        assertThat(read(inside).has("a")).isTrue();
        assertThatThrownBy(() -> read("{\"a\":".repeat(33) + "1" + "}".repeat(33)))
                .hasMessage("more than 32 objects and lists inside each other");
        assertThatThrownBy(() -> read("{\"a\":" + "[".repeat(100_000)))
                .hasMessage("more than 32 objects and lists inside each other");
        assertThatThrownBy(() -> read("{\"a\":" + "1".repeat(65) + "}"))
                .hasMessageContaining("a number of 65 characters");
        assertThatThrownBy(() -> JsonReader.read(new byte[JsonReader.MAX_BYTES + 1]))
                .hasMessage("JSON of 33554433 bytes, at most 33554432 are taken");
        assertThatThrownBy(() -> JsonReader.read(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}))
                .hasMessage("JSON that is not UTF-8");
    }

    @Test
    void shouldReadWhatItWrites() {
        String odd = "\"\\\n\u0000ü\ud83d\ude80\ud83d";
        JsonWriter written = new JsonWriter()
                .text("t\"", odd)
                .number("n", Long.MIN_VALUE)
                .bytes("b", new byte[] {-1, 0, 1})
                .object("o", new JsonWriter())
                .objects("l", List.of(new JsonWriter().number("x", 1), new JsonWriter().number("x", 2)))
                .objects("none", List.of());
        JsonObject read = JsonReader.read(written.toBytes());
        assertThat(read.text("t\"")).isEqualTo(odd);
        assertThat(read.number("n")).isEqualTo(Long.MIN_VALUE);
        assertThat(read.bytes("b")).containsExactly(-1, 0, 1);
        assertThat(read.has("o")).isTrue();
        assertThat(read.objects("l").get(1).number("x")).isEqualTo(2);
        assertThat(read.objects("none")).isEmpty();
    }
}
