package org.ulfmj.rendezvous.etcd;

import java.util.List;
import org.ulfmj.rendezvous.marked.Entry;

/**
 * The keys of a range, as etcd has answered.
 *
 * @param revision the revision of etcd at the time of the answer
 * @param hasMore whether the range has more keys than the limit of the request
 */
record EtcdRange(List<Entry> entries, long revision, boolean hasMore) {}
