package org.ulfmj.rendezvous.elect;

import org.ulfmj.rendezvous.marked.Txn;

/** What an {@link Election} asks of etcd. A request without an answer may be carried out later, or never. */
public sealed interface EtcdRequest {
    /** Grants a lease: {@link EtcdReply.Granted}. */
    record Grant(long ttlSeconds) implements EtcdRequest {}

    /** Renews a lease: {@link EtcdReply.Kept}. */
    record KeepAlive(long lease) implements EtcdRequest {}

    /** Ends a lease, and deletes its keys: {@link EtcdReply.Revoked}. */
    record Revoke(long lease) implements EtcdRequest {}

    /** Carries a transaction out: {@link EtcdReply.Done}. One that compares a revision with -1 only reads. */
    record Transact(Txn txn) implements EtcdRequest {}
}
