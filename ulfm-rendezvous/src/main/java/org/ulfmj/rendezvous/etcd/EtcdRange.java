package org.ulfmj.rendezvous.etcd;

import java.util.List;
import org.ulfmj.rendezvous.marked.Entry;

/**
 * What a range of keys holds.
 *
 * @param revision of etcd when it was asked
 * @param hasMore whether there are more than were asked for
 */
record EtcdRange(List<Entry> entries, long revision, boolean hasMore) {}
