package org.ulfmj.rendezvous.etcd;

/**
 * A lease as etcd has granted it.
 *
 * @param ttlSeconds for how long after the last renewal etcd keeps the keys of the lease; it may be longer than was
 *     asked for
 */
record EtcdLease(long id, long ttlSeconds) {}
