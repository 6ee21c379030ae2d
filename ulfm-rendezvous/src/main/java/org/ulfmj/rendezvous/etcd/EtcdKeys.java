package org.ulfmj.rendezvous.etcd;

import java.nio.charset.StandardCharsets;
import org.ulfmj.rendezvous.elect.ElectionKeys;

/**
 * The keys in etcd of a job's values (C1), with the prefix {@code /ulfm}: {@code /ulfm/JOB/kv/KEY},
 * {@code /ulfm/JOB/req/NONCE}; and of the election of its coordinator: {@code /ulfm/JOB/coord},
 * {@code /ulfm/JOB/state}, {@code /ulfm/JOB/wanted}, {@code /ulfm/JOB/place}.
 */
final class EtcdKeys {
    private final String root;

    /** @param prefix the beginning of all keys, without a slash at its end: {@code /ulfm} */
    EtcdKeys(String prefix, String job) {
        root = prefix + "/" + job + "/";
    }

    byte[] value(String key) {
        return bytes(root + "kv/" + key);
    }

    /** The key that the program uses for a value with this key in etcd. */
    String keyOf(byte[] value) {
        return new String(value, StandardCharsets.UTF_8).substring(root.length() + 3);
    }

    byte[] marker(long nonce) {
        return bytes(root + "req/" + Long.toHexString(nonce));
    }

    /** The keys by which the job's coordinator is elected. */
    ElectionKeys election() {
        return ElectionKeys.under(root.substring(0, root.length() - 1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
