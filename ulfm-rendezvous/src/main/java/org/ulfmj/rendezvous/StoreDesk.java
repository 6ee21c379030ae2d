package org.ulfmj.rendezvous;

import org.ulfmj.protocol.Outbox;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.rendezvous.store.StoreServer;
import org.ulfmj.rendezvous.store.StoreWelcome;

/**
 * Passes requests to the {@link StoreServer}, and its answers out as messages of the rendezvous. The server is made
 * when the first process has connected.
 */
final class StoreDesk {
    private final long boot;
    private StoreServer server;

    StoreDesk(long boot) {
        this.boot = boot;
    }

    StoreWelcome greet(long nonce, long session, long attempt) {
        return server().greet(nonce, session, attempt);
    }

    void ask(Seat seat, RendezvousMessage.StoreAsk ask, Outbox<Long, RendezvousMessage> out) {
        server().onRequest(
                        seat.nonce(), seat.id(), ask.session(), ask.id(), ask.open(), ask.request(), new ToRanks(out));
    }

    void end(long nonce) {
        if (server != null) {
            server.end(nonce);
        }
    }

    private StoreServer server() {
        if (server == null) {
            server = new StoreServer(boot);
        }
        return server;
    }

    private record ToRanks(Outbox<Long, RendezvousMessage> out) implements StoreServer.Answers {
        @Override
        public void answer(long nonce, long id, StoreResult result) {
            out.send(nonce, new RendezvousMessage.StoreAnswer(id, result));
        }

        @Override
        public void expired(long nonce, long session, String why) {
            out.send(nonce, new RendezvousMessage.StoreExpired(session, why));
        }
    }
}
