package org.ulfmj.runtime.process;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.store.StoreClient;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.rendezvous.store.StoreServer;
import org.ulfmj.runtime.store.StoreLine;

/**
 * The store of a job that has one rank and no launcher. It is in the rank itself, and its contents are lost when the
 * rank ends.
 */
final class OwnStore implements StoreLine, StoreClient.Line, StoreServer.Answers {
    private static final long NONCE = 1;

    private final ProcessId me;
    private final StoreServer server = new StoreServer(0);
    private final StoreClient client = new StoreClient(server.greet(NONCE, 0, 1).session());

    private OwnStore(ProcessId me) {
        this.me = me;
    }

    static StoreLine of(ProcessId me) {
        return new OwnStore(me);
    }

    @Override
    public StoreReply ask(StoreRequest request) {
        return hasRoom(request) ? client.ask(request, this) : null;
    }

    @Override
    public boolean hasRoom(StoreRequest request) {
        return client.hasRoom(request);
    }

    @Override
    public void withdraw(StoreReply reply) {
        client.withdraw(reply, this);
    }

    @Override
    public void ask(long session, long id, List<Long> open, StoreRequest request) {
        server.onRequest(NONCE, me, session, id, open, request, this);
    }

    @Override
    public void answer(long nonce, long id, StoreResult result) {
        client.onAnswer(id, result);
    }

    @Override
    public void expired(long nonce, long session, String why) {
        client.lose(why);
    }
}
