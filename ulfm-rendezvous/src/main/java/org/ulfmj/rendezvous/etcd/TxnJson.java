package org.ulfmj.rendezvous.etcd;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.rendezvous.marked.Txn;

/** Writes a transaction in the JSON form of etcd's gateway. */
final class TxnJson {
    private TxnJson() {}

    static JsonWriter of(Txn txn) {
        List<JsonWriter> compares = new ArrayList<>();
        for (Txn.Compare compare : txn.compares()) {
            JsonWriter written = new JsonWriter().bytes("key", compare.key()).text("result", "EQUAL");
            compares.add(
                    switch (compare.target()) {
                        case MODIFIED -> written.text("target", "MOD").number("mod_revision", compare.revision());
                        case CREATED -> written.text("target", "CREATE").number("create_revision", compare.revision());
                        case VALUE -> written.text("target", "VALUE").bytes("value", compare.value());
                    });
        }
        List<JsonWriter> writes = new ArrayList<>();
        for (Txn.Write write : txn.writes()) {
            writes.add(
                    write.value() == null
                            ? new JsonWriter()
                                    .object("request_delete_range", new JsonWriter().bytes("key", write.key()))
                            : new JsonWriter().object("request_put", put(write.key(), write.value(), write.lease())));
        }
        List<JsonWriter> reads = new ArrayList<>();
        for (byte[] key : txn.gets()) {
            reads.add(new JsonWriter().object("request_range", new JsonWriter().bytes("key", key)));
        }
        return new JsonWriter()
                .objects("compare", compares)
                .objects("success", writes)
                .objects("failure", reads);
    }

    /** @param lease the lease with whose end the key is deleted; 0 for none */
    static JsonWriter put(byte[] key, byte[] value, long lease) {
        JsonWriter put = new JsonWriter().bytes("key", key).bytes("value", value);
        return lease == 0 ? put : put.number("lease", lease);
    }
}
