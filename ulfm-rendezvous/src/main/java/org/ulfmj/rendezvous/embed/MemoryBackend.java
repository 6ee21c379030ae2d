package org.ulfmj.rendezvous.embed;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.store.StoreClient;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.rendezvous.store.StoreServer;
import org.ulfmj.rendezvous.store.StoreWelcome;
import org.ulfmj.transport.auth.JobSecret;

/**
 * The backend of {@code memory://name/job}: a store in the memory of this virtual machine, for tests and for ranks as
 * threads. All that open it by one name and job share it. It lasts as long as the virtual machine.
 */
public final class MemoryBackend implements StoreBackend {
    private static final SortedMap<String, Memory> STORES = new TreeMap<>();

    /** For {@link java.util.ServiceLoader}. */
    public MemoryBackend() {}

    @Override
    public List<String> schemes() {
        return List.of("memory");
    }

    @Override
    public List<String> parameters() {
        return List.of();
    }

    @Override
    public StoreLine open(RendezvousUrl url, JobSecret secret, long timeoutNs) {
        Memory memory;
        synchronized (STORES) {
            memory = STORES.computeIfAbsent(url.toString(), name -> new Memory());
        }
        return memory.open();
    }

    /** One store and its lines; this object is the monitor of all of them. */
    private static final class Memory implements StoreServer.Answers {
        private final StoreServer server = new StoreServer(1);
        private final SortedMap<Long, MemoryLine> lines = new TreeMap<>();
        private long lastNonce;

        synchronized MemoryLine open() {
            long nonce = ++lastNonce;
            StoreWelcome welcome = server.greet(nonce, 0, 1);
            MemoryLine line = new MemoryLine(this, nonce);
            line.begin(welcome.session());
            lines.put(nonce, line);
            return line;
        }

        @Override
        public void answer(long nonce, long id, StoreResult result) {
            MemoryLine line = lines.get(nonce);
            if (line != null) {
                line.client().onAnswer(id, result);
                notifyAll();
            }
        }

        @Override
        public void expired(long nonce, long session, String why) {
            throw new IllegalStateException(why);
        }
    }

    private static final class MemoryLine extends ReplyLine {
        private final Memory memory;
        private final long nonce;

        MemoryLine(Memory memory, long nonce) {
            super(memory);
            this.memory = memory;
            this.nonce = nonce;
        }

        @Override
        StoreClient.Line line() {
            ProcessId me = ProcessId.of(Math.toIntExact(nonce));
            return (session, id, open, request) ->
                    memory.server.onRequest(nonce, me, session, id, open, request, memory);
        }

        @Override
        String missing() {
            return "a store in memory has a session at once";
        }

        @Override
        void end() {
            memory.server.end(nonce);
            memory.lines.remove(nonce);
        }
    }
}
