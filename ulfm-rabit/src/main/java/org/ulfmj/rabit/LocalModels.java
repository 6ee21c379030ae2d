package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.rabit.engine.Checkpoint;
import org.ulfmj.rabit.engine.Replica;
import org.ulfmj.rabit.engine.SummaryRecord;
import org.ulfmj.runtime.transfer.Operation;

/**
 * Rule B2.1: before the commit of a checkpoint with local models every rank sends its local model to its partners, and
 * each partner answers with the checksum of its copy.
 */
final class LocalModels {
    private static final int MODEL_TAG = 2;
    private static final int RECEIPT_TAG = 3;
    /** The number that describes the exchange of failure domains in its messages. */
    private static final long DOMAINS = 0x646f6d61696e73L;

    private final Replica replica;
    private final long ownDomain;
    /**
     * The failure domain of each slot: ranks of the same domain may fail together. Null until this rank has learned
     * them from a summary or has asked for them.
     */
    private SortedMap<Integer, Long> domains;

    LocalModels(Replica replica, long ownDomain) {
        this.replica = replica;
        this.ownDomain = ownDomain;
    }

    long ownDomain() {
        return ownDomain;
    }

    /** Takes the failure domains of all ranks from the summary of a new epoch. */
    void learn(Iterable<SummaryRecord> records) {
        domains = new TreeMap<>();
        for (SummaryRecord record : records) {
            domains.put(record.process().slot(), record.domain());
        }
    }

    /**
     * Stages this rank's local model, sends it to the partners, and stages the local models that other ranks send to
     * this one.
     *
     * @throws org.ulfmj.rabit.engine.ModelFault if the checksum of a partner's copy differs
     */
    void stage(RabitEpoch epoch, int slot, ByteBuffer local) {
        int version = replica.version() + 1;
        Checkpoint own = Checkpoint.of(version, epoch.number(), local);
        replica.stageLocal(slot, own);
        if (domains == null) {
            askAll(epoch);
        }
        List<Outflow> models = new ArrayList<>();
        for (int partner : replica.partners(domains)) {
            Outflow out = new Outflow(epoch, partner, MODEL_TAG);
            out.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, local.remaining()));
            out.write(local);
            out.flush();
            models.add(out);
        }
        List<Operation> receipts = new ArrayList<>();
        for (int owner : replica.owners(domains)) {
            Inflow in = new Inflow(epoch, owner, MODEL_TAG);
            ByteBuffer model = ByteBuffer.allocate(in.readInt());
            in.read(model);
            Checkpoint copy = Checkpoint.of(version, epoch.number(), model.flip());
            replica.stageLocal(owner, copy);
            receipts.add(epoch.send(ByteBuffer.allocate(Integer.BYTES).putInt(0, copy.crc()), owner, RECEIPT_TAG));
        }
        for (int partner : replica.partners(domains)) {
            own.requireCopied(
                    epoch.receive(partner, RECEIPT_TAG), epoch.members().rank(partner));
        }
        for (Outflow model : models) {
            model.end();
        }
        for (Operation receipt : receipts) {
            epoch.await(receipt);
        }
    }

    /**
     * Exchanges the failure domains of all ranks; needed in the first epoch at most, since each later one begins with a
     * summary, which has them.
     */
    private void askAll(RabitEpoch epoch) {
        ByteBuffer all = ByteBuffer.allocate(epoch.size() * Long.BYTES);
        all.putLong(epoch.rank() * Long.BYTES, ownDomain);
        epoch.allGather(null, all, DOMAINS);
        SortedMap<Integer, Long> known = new TreeMap<>();
        for (int rank = 0; rank < epoch.size(); rank++) {
            known.put(epoch.members().slot(rank), all.getLong(rank * Long.BYTES));
        }
        domains = known;
    }
}
