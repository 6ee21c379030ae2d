package org.ulfmj.rendezvous.elect;

import org.ulfmj.rendezvous.marked.TxnAnswer;

/** The answer to an {@link EtcdRequest}. */
public sealed interface EtcdReply {
    record Granted(long lease) implements EtcdReply {}

    /** @param isAlive whether the lease existed, so that it was renewed */
    record Kept(boolean isAlive) implements EtcdReply {}

    record Revoked() implements EtcdReply {}

    record Done(TxnAnswer answer) implements EtcdReply {}

    /**
     * No answer came in time, or one that does not tell whether the request was carried out, or a refusal: the request
     * may have been carried out, or may be later.
     */
    record Unknown() implements EtcdReply {}
}
