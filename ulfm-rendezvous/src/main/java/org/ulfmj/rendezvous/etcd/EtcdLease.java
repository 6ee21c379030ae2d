package org.ulfmj.rendezvous.etcd;

/**
 * A lease as etcd has granted it.
 *
 * @param ttlSeconds how long after the last renewal its keys stay; it may be longer than what was asked for
 */
record EtcdLease(long id, long ttlSeconds) {}
