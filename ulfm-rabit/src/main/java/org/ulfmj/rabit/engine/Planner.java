package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.SlotRuns;

/** B3: computes the plan of a recovery from the summaries of all ranks, on which the ranks have agreed. */
public final class Planner {
    /** A shorter model comes from one holder. */
    private static final int STRIPE_BYTES = 256 * 1024;

    private final SortedMap<Integer, SummaryRecord> records;
    private final SlotRuns members;
    private final int localCopies;
    private final List<Transfer> transfers = new ArrayList<>();
    /** The text about the first item that a rank lacks and no rank has; null if there is none. */
    private String hole;

    private Planner(SortedMap<Integer, SummaryRecord> records, SlotRuns members, int localCopies) {
        this.records = records;
        this.members = members;
        this.localCopies = localCopies;
    }

    /**
     * @param records the summaries of all members, by slot
     * @param localCopies number of copies of a local model, besides its owner's
     */
    public static RecoveryPlan plan(SortedMap<Integer, SummaryRecord> records, SlotRuns members, int localCopies) {
        return new Planner(records, members, localCopies).plan();
    }

    private RecoveryPlan plan() {
        RecoveryPlan diagnosis = diagnose();
        if (diagnosis != null) {
            return diagnosis;
        }
        Position most = mostReached();
        if (most == null) {
            return planWithoutMember();
        }
        requireOneVersion(most);
        if (committed() == 0 && spilledVersion() > 0) {
            // A disk has a committed version, and no rank has a committed model in memory: all ranks had dropped theirs
            // already to read the version from the disk.
            return fromSpill("a rank died while all went back to the checkpoint on disk");
        }
        if (isOfOtherRanks()) {
            return fromTheTop("the job goes on with " + members.size() + " ranks, of which some have other numbers than"
                    + " before, since processes have died or joined");
        }
        return most.isBootstrap() ? planBootstrap(most.sequence()) : planVersion(most);
    }

    /**
     * The plan if no rank is left that has ever gone on in this job: an elastic job begins, or all such ranks have
     * died, perhaps the last ones while the others were fetching.
     */
    private RecoveryPlan planWithoutMember() {
        if (isUntouched()) {
            return done(
                    RecoveryPlan.Outcome.RESTART,
                    Position.START,
                    "all ranks have died before the first checkpoint was committed");
        }
        return fromSpill(
                "all ranks have died: the processes that took their places know nothing of what was committed");
    }

    private boolean isUntouched() {
        for (SummaryRecord record : records.values()) {
            if (!record.untouched()) {
                return false;
            }
        }
        return true;
    }

    private RecoveryPlan planBootstrap(long known) {
        needBootstrap(known);
        if (hole != null) {
            return fromTheTop(hole);
        }
        needModels(committed());
        return hole == null
                ? done(RecoveryPlan.Outcome.CONTINUE, new Position(Position.BOOTSTRAP, 0, known), "")
                : fromSpill(hole);
    }

    /**
     * All ranks make the operations of the bootstrap phase again, because a result is lost, or because the ranks are
     * others, to whom the results do not belong (B6). The models of the last commit stay; if a part of them is in no
     * rank's memory, the plan is {@link #fromSpill}.
     */
    private RecoveryPlan fromTheTop(String why) {
        transfers.clear();
        hole = null;
        int version = committed();
        if (version == 0) {
            return done(RecoveryPlan.Outcome.RESTART, Position.START, why);
        }
        needModels(version);
        return hole == null ? done(RecoveryPlan.Outcome.ROLL_BACK, Position.START, why) : fromSpill(hole);
    }

    /** The last version that was committed, as far as ranks know that are not fresh; 0 if there is none. */
    private int committed() {
        int version = 0;
        for (SummaryRecord record : records.values()) {
            if (!record.fresh()) {
                version = Math.max(version, record.holdings().checkpoint());
            }
        }
        return version;
    }

    private void needModels(int version) {
        needCheckpoint(version);
        needLocals(version);
    }

    private RecoveryPlan planVersion(Position most) {
        int version = most.version();
        needBootstrap(bootstrapOf(most));
        if (hole != null) {
            return version == 0 ? fromTheTop(hole) : fromSpill(hole);
        }
        needModels(version);
        if (hole != null) {
            return fromSpill(hole);
        }
        int without = transfers.size();
        needResults(version, most.sequence());
        if (hole != null) {
            // A rank that goes back needs no results. Restarted ranks still need the other items that they lack.
            transfers.subList(without, transfers.size()).clear();
            return done(RecoveryPlan.Outcome.ROLL_BACK, Position.ofVersion(version), hole);
        }
        return done(RecoveryPlan.Outcome.CONTINUE, most, "");
    }

    /**
     * B3: returns the furthest place that a rank has reached; null if no rank knows one. Replacements that have not
     * fetched everything do not count, because they do not know how far the job is.
     */
    private Position mostReached() {
        Position most = null;
        for (SummaryRecord record : records.values()) {
            if (!record.fresh() && (most == null || record.reached().compareTo(most) > 0)) {
                most = record.reached();
            }
        }
        return most;
    }

    private void requireOneVersion(Position most) {
        for (SummaryRecord record : records.values()) {
            Position reached = record.reached();
            if (!record.fresh() && !reached.isBootstrap() && reached.version() != most.version()) {
                throw new IllegalStateException("process " + record.process() + " is in version " + reached.version()
                        + " while another one is in version " + most.version() + ": " + records.values());
            }
        }
    }

    /**
     * B6: whether some rank last went on in a world of other members, or in another order of them. Results of ranks of
     * two such worlds must not be mixed in one version, because the parts of the input go by the number of a rank and
     * the number of ranks. The number of ranks alone does not show it: if one rank has died and one has joined, it is
     * the same as before.
     */
    private boolean isOfOtherRanks() {
        long lineup = SummaryRecord.lineupOf(members);
        for (SummaryRecord record : records.values()) {
            boolean isOfThese = record.ranks() == members.size() && record.lineup() == lineup;
            if (record.ranks() != 0 && !isOfThese) {
                return true;
            }
        }
        return false;
    }

    private long bootstrapOf(Position most) {
        long known = 0;
        for (SummaryRecord record : records.values()) {
            if (!record.fresh() && !record.reached().isBootstrap()) {
                known = Math.max(known, record.holdings().bootstrap());
            }
        }
        return known;
    }

    private void needBootstrap(long known) {
        for (SummaryRecord record : records.values()) {
            for (long index = record.holdings().bootstrap(); index < known; index++) {
                fetch(new Item(Item.Kind.BOOTSTRAP, index), 0, record, 1);
            }
        }
    }

    private void needCheckpoint(int version) {
        for (SummaryRecord record : records.values()) {
            if (version > 0
                    && record.reached().isBootstrap()
                    && record.holdings().checkpoint() != version) {
                fetch(new Item(Item.Kind.CHECKPOINT, 0), version, record, stripes(version));
            }
        }
    }

    /**
     * The number of pieces in which a global model is fetched. If several ranks have equal bytes, they may give a piece
     * each. A model that is a reference comes whole from one rank, which has to save it.
     */
    private int stripes(int version) {
        Holdings first = firstSource(version);
        if (first == null || first.checkpointBytes() < STRIPE_BYTES) {
            return 1;
        }
        int sources = 0;
        for (SummaryRecord record : records.values()) {
            sources += isSource(record.holdings(), version) ? 1 : 0;
        }
        return (int) Math.min(sources, first.checkpointBytes() / STRIPE_BYTES + 1);
    }

    private Holdings firstSource(int version) {
        for (SummaryRecord record : records.values()) {
            if (record.holdings().checkpoint() == version) {
                return record.holdings();
            }
        }
        return null;
    }

    private boolean isSource(Holdings holdings, int version) {
        Holdings first = firstSource(version);
        return holdings.checkpoint() == version
                && (holdings == first || holdings.checkpointBytes() >= 0)
                && holdings.crc() == first.crc()
                && holdings.checkpointBytes() == first.checkpointBytes();
    }

    private void needLocals(int version) {
        if (version == 0 || !usesLocals()) {
            return;
        }
        SortedMap<Integer, Long> domains = new TreeMap<>();
        for (SummaryRecord record : records.values()) {
            domains.put(record.slot(), record.domain());
        }
        for (SummaryRecord owner : records.values()) {
            List<Integer> keepers = Placement.partners(owner.slot(), members, domains, localCopies);
            keepers.add(owner.slot());
            for (int keeper : keepers) {
                SummaryRecord record = records.get(keeper);
                if (!record.holdings().hasLocal(version, owner.slot())) {
                    fetch(new Item(Item.Kind.LOCAL, owner.slot()), version, record, 1);
                }
            }
        }
    }

    private boolean usesLocals() {
        for (SummaryRecord record : records.values()) {
            if (record.usesLocals()) {
                return true;
            }
        }
        return false;
    }

    private void needResults(int version, long end) {
        for (SummaryRecord record : records.values()) {
            Position reached = record.reached();
            for (long s = reached.isBootstrap() ? 0 : reached.sequence(); s < end; s++) {
                if (!record.holdings().hasResult(version, s)) {
                    fetch(new Item(Item.Kind.RESULT, s), version, record, 1);
                }
            }
        }
    }

    /**
     * Whether a rank can give an item. This is a switch, and the kinds have no lambdas for it: the first lambda costs
     * milliseconds, and all ranks wait for this plan.
     */
    private boolean has(Holdings holdings, Item item, int version) {
        return switch (item.kind()) {
            case BOOTSTRAP -> holdings.bootstrap() > item.number();
            case CHECKPOINT -> isSource(holdings, version);
            case LOCAL -> holdings.hasLocal(version, (int) item.number());
            case RESULT -> holdings.hasResult(version, item.number());
            case SPILLED -> holdings.spilled().contains(version);
        };
    }

    /**
     * Plans the transfer of one item to the rank that lacks it. The ranks that hold the item give its pieces in turn.
     * If no other rank holds the item, notes that it is missing.
     */
    private void fetch(Item item, int version, SummaryRecord requester, int parts) {
        List<Integer> holders = new ArrayList<>();
        for (SummaryRecord record : records.values()) {
            if (record != requester && has(record.holdings(), item, version)) {
                holders.add(record.slot());
            }
        }
        if (holders.isEmpty()) {
            note("no rank has " + name(item) + " any more, which rank " + members.rank(requester.slot()) + " lacks");
            return;
        }
        int turn = (int) ((item.number() + requester.slot()) % holders.size());
        for (int part = 0; part < parts; part++) {
            int holder = holders.get((turn + part) % holders.size());
            transfers.add(new Transfer(item, holder, requester.slot(), part, parts));
        }
    }

    private static String name(Item item) {
        return switch (item.kind()) {
            case BOOTSTRAP -> "the result of " + new Position(Position.BOOTSTRAP, 0, item.number());
            case CHECKPOINT, SPILLED -> "the checkpoint";
            case LOCAL -> "the local model of process slot " + item.number();
            case RESULT -> "the result of operation " + item.number() + " since the checkpoint";
        };
    }

    private void note(String missing) {
        if (hole == null) {
            hole = missing;
        }
    }

    /**
     * The plan to go back to the highest version on disk that serves all ranks; a rank without the file gets it from
     * another rank. If there is no such version, the plan says that too many ranks have failed.
     */
    private RecoveryPlan fromSpill(String why) {
        transfers.clear();
        hole = null;
        int version = spilledVersion();
        if (version == 0) {
            return done(RecoveryPlan.Outcome.TOO_MANY_FAILURES, Position.START, why);
        }
        for (SummaryRecord record : records.values()) {
            if (!record.holdings().spilled().contains(version)) {
                fetch(new Item(Item.Kind.SPILLED, version), version, record, 1);
            }
        }
        return done(RecoveryPlan.Outcome.FROM_SPILL, Position.ofVersion(version), why);
    }

    private int spilledVersion() {
        int best = 0;
        // If no rank knows of a commit, no rank knows either which version the dead ranks had committed. So there is no
        // upper limit then.
        int most = committed() == 0 ? Integer.MAX_VALUE : committed();
        for (SummaryRecord record : records.values()) {
            for (int version : record.holdings().spilled()) {
                if (version > best && version <= most && (!usesLocals() || isSpilledByAll(version))) {
                    best = version;
                }
            }
        }
        return best;
    }

    private boolean isSpilledByAll(int version) {
        for (SummaryRecord record : records.values()) {
            if (!record.holdings().spilled().contains(version)) {
                return false;
            }
        }
        return true;
    }

    private RecoveryPlan diagnose() {
        SummaryRecord broken = firstWith(PlanTrouble.Kind.ERROR);
        if (broken != null) {
            return done(
                    RecoveryPlan.Outcome.ERROR,
                    Position.START,
                    "rank " + members.rank(broken.slot()) + " cannot go on, and would not as a new process either, in "
                            + broken.trouble() + ": " + broken.trouble().text());
        }
        SummaryRecord late = firstWith(PlanTrouble.Kind.DEADLINE);
        if (late != null) {
            return done(
                    RecoveryPlan.Outcome.DEADLINE,
                    Position.START,
                    "rank " + members.rank(late.slot()) + ": " + late.trouble().text());
        }
        SummaryRecord mismatched = firstWith(PlanTrouble.Kind.MISMATCH);
        return mismatched == null
                ? null
                : done(
                        RecoveryPlan.Outcome.MISMATCH,
                        Position.START,
                        "rank " + members.rank(mismatched.slot()) + " found that ranks make different operations at the"
                                + " same place: " + mismatched.trouble().text() + "; "
                                + calls(records.values()));
    }

    private SummaryRecord firstWith(PlanTrouble.Kind kind) {
        for (SummaryRecord record : records.values()) {
            if (record.trouble().kind() == kind) {
                return record;
            }
        }
        return null;
    }

    /** Returns a text with the calls that ranks are in. Ranks in the same call are named together. */
    private String calls(Collection<SummaryRecord> all) {
        SortedMap<String, List<Integer>> ranks = new TreeMap<>();
        for (SummaryRecord record : all) {
            ranks.computeIfAbsent(record.trouble().toString(), call -> new ArrayList<>())
                    .add(members.rank(record.slot()));
        }
        StringBuilder text = new StringBuilder();
        for (SortedMap.Entry<String, List<Integer>> call : ranks.entrySet()) {
            text.append(text.length() == 0 ? "" : "; ")
                    .append(call.getValue().size() == 1 ? "rank " : "ranks ")
                    .append(call.getValue())
                    .append(": ")
                    .append(call.getKey());
        }
        return text.toString();
    }

    private RecoveryPlan done(RecoveryPlan.Outcome outcome, Position start, String text) {
        return new RecoveryPlan(outcome, start, List.copyOf(transfers), text);
    }
}
