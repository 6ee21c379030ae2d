package org.ulfmj.rendezvous.etcd;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Answers of etcd's gateway. */
final class JsonReaderFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        return List.of(
                bytes("{\"header\":{\"cluster_id\":\"4797426761079657239\",\"revision\":\"3\"},\"succeeded\":true,"
                        + "\"responses\":[{\"response_put\":{\"header\":{\"revision\":\"3\"}}},{}]}"),
                bytes(
                        "{\"result\":{\"events\":[{\"type\":\"DELETE\",\"kv\":{\"key\":\"YQ==\",\"mod_revision\":\"7\"}}]}}"),
                bytes("{\"error\":\"a\\u00fc\\n\",\"code\":-5.0e+3,\"more\":false,\"none\":null}"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void parse(byte[] input) {
        JsonObject object = JsonReader.read(input);
        object.object("header").number("revision");
        object.flag("succeeded");
        for (JsonObject event : object.object("result").objects("events")) {
            event.object("kv").bytes("key");
            event.object("kv").number("mod_revision");
        }
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(JsonException.class);
    }

    /**
     * An empty object takes three characters of a list, and a whole map in memory, so memory may be many times the
     * input.
     */
    @Override
    public long capBytes(int lengthBytes) {
        return 32 * 1024 + 256L * lengthBytes;
    }

    @Override
    public List<String> words() {
        return List.of(
                "{", "}", "[", "]", "\"", ":", ",", "null", "true", "\\u", "\\", "1e9", "-", "\"kv\":", "[[[[", "{}");
    }
}
