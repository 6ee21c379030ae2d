package org.ulfmj.check.rendezvous.elected;

import org.ulfmj.check.rendezvous.elastic.Admission;
import org.ulfmj.rendezvous.elect.EtcdReply;
import org.ulfmj.rendezvous.elect.EtcdRequest;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * A message between two processes of these worlds. To and from etcd: a request and its reply, with the number of the
 * request; or a member's question for the coordinator's address, and the answer. Between a member and a coordinator: a
 * message of the rendezvous, with the number of the member's connection, or the news that the connection is closed.
 * Between processes of a world that grows: a welcome, by which a member tells a process that it is admitted.
 *
 * @param number number of the request, or of the connection; 0 in the other lines
 * @param term in a request, the term in which its sender believes to be; 0 in the other lines
 * @param address in the answer to a member's question, the node of the coordinator; {@link #NONE} if etcd holds no
 *     address of one, and in the other lines
 */
record Line(
        Kind kind,
        int number,
        RendezvousMessage message,
        EtcdRequest request,
        EtcdReply reply,
        long term,
        int address,
        Admission welcome) {
    enum Kind {
        ASKED,
        ANSWERED,
        LOOKS,
        SEEN,
        SAID,
        CLOSED,
        ADMITTED
    }

    static final int NONE = -1;

    static Line asked(int number, EtcdRequest request, long term) {
        return new Line(Kind.ASKED, number, null, request, null, term, NONE, null);
    }

    static Line answered(int number, EtcdReply reply) {
        return new Line(Kind.ANSWERED, number, null, null, reply, 0, NONE, null);
    }

    static Line looks() {
        return new Line(Kind.LOOKS, 0, null, null, null, 0, NONE, null);
    }

    static Line seen(int address) {
        return new Line(Kind.SEEN, 0, null, null, null, 0, address, null);
    }

    static Line said(int connection, RendezvousMessage message) {
        return new Line(Kind.SAID, connection, message, null, null, 0, NONE, null);
    }

    static Line closed(int connection) {
        return new Line(Kind.CLOSED, connection, null, null, null, 0, NONE, null);
    }

    static Line admitted(Admission world) {
        return new Line(Kind.ADMITTED, 0, null, null, null, 0, NONE, world);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case ASKED -> "request " + number + " " + request;
            case ANSWERED -> "reply " + number + " " + reply;
            case LOOKS -> "looks for the coordinator";
            case SEEN -> "coordinator " + address;
            case SAID -> number + ": " + message;
            case CLOSED -> number + ": closed";
            case ADMITTED -> welcome.toString();
        };
    }
}
