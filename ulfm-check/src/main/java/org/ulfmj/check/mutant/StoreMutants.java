package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.seed;
import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the store's server and of its clients, each without one of their rules. */
public final class StoreMutants {
    private static final String SERVER = "org.ulfmj.rendezvous.store.StoreServer";

    private static final String SESSION = "org.ulfmj.rendezvous.store.StoreSession";

    private static final String CLIENT = "org.ulfmj.rendezvous.store.StoreClient";

    private static final String JOINED = "org.ulfmj.rendezvous.client.JoinSession";

    private static final String VALUES = "org.ulfmj.rendezvous.store.KeyValues";

    private static final Mutant ATTEMPT = without("S1 attempt", "of dials only the newest counts")
            .in(SESSION, "if (attempt <= lastAttempt) {", "if (false) {");

    private static final Mutant OPEN = without("S2 open", "a process says which answers it lacks")
            .in(CLIENT, "new ArrayList<>(unanswered.headMap(id).keySet())", "new ArrayList<>()");

    private static final Mutant AGAIN = without("S2 again", "what is not answered goes out on each new connection")
            .in(
                    CLIENT,
                    "            send(entry.getKey(), entry.getValue().request(), line);\n",
                    "            entry.getValue();\n");

    private static final Mutant TABLE = without("S3 table", "a request that comes again is known")
            .in(SERVER, "if (known.hasSeen(id)) {", "if (false) {");

    private static final Mutant PARKED = without(
                    "S3 parked", "a request that waits is not answered when it comes again")
            .in(SESSION, "return result == PARKED ? null : result;", "return result;");

    private static final Mutant KEPT = without("S4 kept", "a result is kept until the process has it")
            .in(SERVER, "        session.keep(id, result);\n", "        session.keep(id, null);\n");

    private static final Mutant ACKNOWLEDGED_EARLY = without(
                    "S4 acknowledged", "a request acknowledges those before it, and not itself")
            .in(SESSION, "table.headMap(id).keySet()", "table.headMap(id + 1).keySet()");

    private static final Mutant CANCELLED = without("S5 cancelled", "what an ended process waits for is dropped")
            .in(
                    SERVER,
                    "            parked.remove(new Ticket(nonce, id));\n        }\n        session.end();",
                    "        }\n        session.end();");

    private static final Mutant ENDED = without("S5 ended", "nothing of an ended process runs")
            .in(SERVER, "known == null || known.hasEnded() || known", "known == null || known");

    private static final Mutant SUPERSEDED = without(
                    "S7", "the sessions of earlier processes of a slot end before the next one's first request runs")
            .in(SERVER, "            endOlder(process);\n", "");

    private static final Mutant LATE = without("S7 late", "a process whose successor has asked asks too late")
            .in(SERVER, "if (hasNewer(process)) {", "if (false) {");

    private static final Mutant FROM_NOW = without("S8", "a watch goes on after the last change that it was told")
            .in(VALUES, "log.tailMap(begin.last(), false)", "log.tailMap(begin.last() + 1, false)");

    private static final Mutant TOLD = without(
                    "S6 told", "what waits for an answer ends with the session, and with it the process")
            .in(
                    JOINED,
                    "            loseStore(why);\n            isFenced = true;\n            listener.onFence(why);\n",
                    "");

    private static final Mutant NEVER_AGAIN = without("S6 again", "no request is sent again under another session")
            .in(JOINED, "if (storeSession == 0) {\n", "if (storeSession == 0 || heardBoot != boot) {\n")
            .and("private static StoreClient.Line", "private StoreClient.Line")
            .and("RendezvousMessage.StoreAsk(session, id", "RendezvousMessage.StoreAsk(storeSession, id")
            .and("if (expired.session() == storeSession()) {", "if (false) {");

    private static final Mutant ANOTHER = without("S7 another", "no process fences itself for another launcher's store")
            .in(
                    JOINED,
                    "loseStore(\"another launcher answers, whose store does not know this process\");",
                    "expire(\"another launcher answers\", listener);");

    private StoreMutants() {}

    static List<Trial> trials() {
        return List.of(
                seeds(ATTEMPT, "store", 500, "a good connection is not displaced"),
                seeds(OPEN, "store", 500, "is not answered", "nothing of an ended process is carried out"),
                seeds(AGAIN, "store", 500, "every request is answered"),
                seeds(TABLE, "store", 500, "each request is carried out once"),
                seeds(PARKED, "store", 500, "only a withdrawn request is answered as one"),
                seeds(KEPT, "store", 500, "every request is answered"),
                seeds(
                        ACKNOWLEDGED_EARLY,
                        "store",
                        500,
                        "is not answered",
                        "nothing of an ended process is carried out"),
                seeds(CANCELLED, "store", 500, "nothing of an ended process is carried out"),
                seeds(ENDED, "store", 500, "nothing of an ended process is carried out"),
                seeds(SUPERSEDED, "store", 500, "nothing of an ended process is carried out"),
                seed(LATE, "store 11 623722", "nothing of an ended process is carried out"),
                seeds(FROM_NOW, "store", 500, "watches agree in the end"),
                seeds(TOLD, "store-lost", 500, "every request ends"),
                seeds(NEVER_AGAIN, "store-lost", 500, "each request is carried out once"),
                seeds(ANOTHER, "store-lost", 500, "only a process that is held for ended fences itself"));
    }
}
