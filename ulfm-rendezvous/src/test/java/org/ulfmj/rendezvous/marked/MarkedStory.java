package org.ulfmj.rendezvous.marked;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Simulates two clients that add, compare and set, and delete over a path on which requests get lost, come twice and
 * come late, and answers get lost, while the clients' leases end. Reports what is wrong, such as a change that was
 * carried out twice, or although its client was told that it was not, or after the end of its client's lease, or with
 * another answer than its client was told. Public, since mutants of the tested classes run it.
 */
public final class MarkedStory {
    private static final int CLIENTS = 2;
    private static final int CHANGES = 4;
    private static final int MOST_STEPS = 400;
    private static final byte[] KEY = "n".getBytes(StandardCharsets.UTF_8);

    private static final MarkedChanges.Seal AS_IT_IS = new MarkedChanges.Seal() {
        @Override
        public byte[] seal(byte[] key, byte[] value) {
            return value;
        }

        @Override
        public byte[] open(byte[] key, byte[] stored) {
            return stored;
        }
    };

    private static final Changes.Numbers NUMBERS = new Changes.Numbers() {
        @Override
        public long sum(Entry present) {
            return present == null ? 1 : Long.parseLong(new String(present.value(), StandardCharsets.UTF_8)) + 1;
        }

        @Override
        public byte[] sealed(long sum) {
            return Long.toString(sum).getBytes(StandardCharsets.UTF_8);
        }
    };

    /** A change that a client asked for, and its outcome so far. */
    private static final class Made {
        private final String what;
        private TxnAnswer carriedOut;
        private long sum;
        private boolean mustNotRun;

        Made(String what) {
            this.what = what;
        }
    }

    /** A request on its way to etcd; it may be carried out later, and more than once. */
    private record Flight(Txn txn, Made made, long lease) {}

    private final SplittableRandom random;
    private final SimulatedEtcd etcd = new SimulatedEtcd();
    private final List<Client> clients = new ArrayList<>();
    private final List<Flight> flights = new ArrayList<>();
    private String wrong = "";

    private MarkedStory(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client("client" + i));
        }
    }

    /** Returns what went wrong, and with which seed; empty if nothing did. */
    public static String run(Long first, Long count) {
        for (long seed = first; seed < first + count; seed++) {
            String wrong;
            try {
                wrong = new MarkedStory(seed).play();
            } catch (RuntimeException broken) {
                wrong = broken.toString();
            }
            if (!wrong.isEmpty()) {
                return "seed " + seed + ": " + wrong;
            }
        }
        return "";
    }

    private String play() {
        for (int step = 0; step < MOST_STEPS && wrong.isEmpty(); step++) {
            int chosen = random.nextInt(10);
            if (chosen < 2 && !flights.isEmpty()) {
                deliver(flights.remove(random.nextInt(flights.size())), true);
            } else if (chosen == 2 && random.nextInt(4) == 0) {
                endLease(clients.get(random.nextInt(CLIENTS)).changes.lease());
            } else {
                clients.get(random.nextInt(CLIENTS)).step();
            }
        }
        return wrong;
    }

    private void endLease(long lease) {
        if (lease != 0) {
            etcd.end(lease);
        }
    }

    private TxnAnswer deliver(Flight flight, boolean mayHaveRun) {
        TxnAnswer answer = etcd.carryOut(flight.txn(), mayHaveRun);
        if (answer.succeeded() && changesKey(flight.txn())) {
            Made made = flight.made();
            if (made.carriedOut != null) {
                wrong = made.what + " is carried out twice";
            } else if (made.mustNotRun) {
                wrong = made.what + " is carried out after its client was told that it is not, or cannot know";
            } else if (!etcd.isAlive(flight.lease())) {
                wrong = made.what + " is carried out after the end of its lease";
            }
            made.carriedOut = answer;
            Entry now = etcd.get("n");
            made.sum = now == null ? 0 : Long.parseLong(new String(now.value(), StandardCharsets.UTF_8));
        }
        return answer;
    }

    private static boolean changesKey(Txn txn) {
        return txn.writes().stream().anyMatch(write -> write.key() == KEY);
    }

    private final class Client {
        private final String name;
        private final MarkedChanges changes;
        private final SortedMap<Integer, Made> all = new TreeMap<>();
        private Made present;
        private boolean isAddition;
        private boolean isComparison;
        private Txn waiting;
        private boolean mayHaveRun;

        Client(String name) {
            this.name = name;
            this.changes = new MarkedChanges(("req/" + name).getBytes(StandardCharsets.UTF_8), AS_IT_IS);
        }

        void step() {
            if (changes.lease() == 0) {
                renew();
            } else if (waiting != null) {
                answer();
            } else if (present == null && all.size() < CHANGES) {
                begin();
            } else if (present != null) {
                waiting = changes.attempt();
                mayHaveRun = false;
            }
        }

        private void renew() {
            long granted = etcd.grant();
            if (random.nextInt(4) == 0) {
                etcd.carryOut(changes.renewal(granted), false);
                return; // without the answer
            }
            // If an earlier attempt has written the marker already, the renewal fails once, and replaces that marker in
            // the next round.
            for (int round = 0; !changes.onRenewed(granted, etcd.carryOut(changes.renewal(granted), false)); round++) {
                if (round == 2) {
                    wrong = name + " gets no session";
                    return;
                }
            }
        }

        private void begin() {
            Entry there = etcd.get("n");
            int kind = random.nextInt(4);
            isAddition = kind < 2 || kind == 3 && there == null;
            isComparison = !isAddition && kind == 2;
            Change change = isAddition
                    ? Changes.add(KEY, there, NUMBERS)
                    : kind == 2 ? Changes.compareAndSet(KEY, 0, NUMBERS.sealed(1)) : Changes.delete(KEY, there);
            present = new Made(name + "'s change " + (all.size() + 1) + (isAddition ? ", an addition," : ""));
            all.put(all.size(), present);
            changes.begin(change);
        }

        /**
         * Sends the present attempt. The request arrives now, later, twice or never, and its answer arrives or does
         * not.
         */
        private void answer() {
            Flight flight = new Flight(waiting, present, changes.lease());
            int fate = random.nextInt(6);
            if (fate < 2) {
                TxnAnswer answer = deliver(flight, mayHaveRun);
                waiting = null;
                take(answer);
                return;
            }
            mayHaveRun = true;
            if (fate == 2) {
                deliver(flight, true);
            } else if (fate < 5) {
                flights.add(flight);
            }
            if (random.nextInt(8) == 0) {
                // The client's time limit has passed: the change may still be carried out, but no longer once the next
                // change is.
                present = null;
                waiting = null;
            }
        }

        private void take(TxnAnswer answer) {
            switch (changes.onAnswer(answer)) {
                case AGAIN -> {
                    // The next step makes another attempt.
                }
                case UNKNOWN -> present = null;
                case DONE -> {
                    check(changes.outcome());
                    present = null;
                }
            }
            if (present == null) {
                // Once a later change was answered, an earlier change without an answer must not be carried out any
                // more.
                all.values().forEach(earlier -> earlier.mustNotRun = true);
            }
        }

        private void check(MarkedChanges.Outcome outcome) {
            boolean isMade = outcome.revision() > 0;
            if (isMade != (present.carriedOut != null)) {
                wrong = present.what + (isMade ? " counts as made and was not" : " was made and counts as refused");
            } else if (!isMade && isComparison && outcome.present() == null) {
                wrong = present.what + " is refused as the key holds something, and it holds nothing";
            } else if (isMade && outcome.revision() != present.carriedOut.revision()) {
                wrong = present.what + " is told another revision";
            } else if (isMade && isAddition && outcome.sum() != present.sum) {
                wrong = present.what + " is told " + outcome.sum() + ", the sum was " + present.sum;
            }
        }
    }
}
