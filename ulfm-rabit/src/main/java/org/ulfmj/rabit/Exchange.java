package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rabit.engine.Item;
import org.ulfmj.rabit.engine.Parcel;
import org.ulfmj.rabit.engine.RecoveryPlan;
import org.ulfmj.rabit.engine.Transfer;

/**
 * Rule B3.6: carries out the transfers of a recovery plan. All that a rank sends to another one by the plan is one
 * batch. Both know the batches from the plan, so no rank asks.
 */
final class Exchange {
    private static final int TAG = 1;
    private static final int MOST_HEADER_BYTES = 1 << 28;

    private final RabitEpoch epoch;
    private final int slot;
    private final SortedMap<Item, Parcel> whole = new TreeMap<>();
    private final SortedMap<Item, Parcel> begun = new TreeMap<>();
    private final SortedMap<Item, Integer> partsLeft = new TreeMap<>();

    Exchange(RabitEpoch epoch, int slot) {
        this.epoch = epoch;
        this.slot = slot;
    }

    /** Gives the content of the items that this rank sends. */
    interface Source {
        Parcel give(Item item);
    }

    /**
     * Begins to send all that the plan has this rank send, then receives all that the plan has it receive, and then
     * waits until what it sent has left.
     */
    void run(RecoveryPlan plan, Source source) {
        List<Outflow> outflows = new ArrayList<>();
        for (SortedMap.Entry<Integer, List<Transfer>> batch :
                byRank(plan.sentBy(slot), true).entrySet()) {
            outflows.add(send(batch.getKey(), batch.getValue(), source));
        }
        for (SortedMap.Entry<Integer, List<Transfer>> batch :
                byRank(plan.receivedBy(slot), false).entrySet()) {
            receive(batch.getKey(), batch.getValue());
        }
        for (Outflow outflow : outflows) {
            outflow.end();
        }
    }

    /** The items that have arrived whole, in ascending order; also usable after a failure. */
    Iterable<Parcel> received() {
        return whole.values();
    }

    private static SortedMap<Integer, List<Transfer>> byRank(List<Transfer> transfers, boolean byRequester) {
        SortedMap<Integer, List<Transfer>> batches = new TreeMap<>();
        for (Transfer transfer : transfers) {
            int other = byRequester ? transfer.requester() : transfer.holder();
            List<Transfer> batch = batches.get(other);
            if (batch == null) {
                batch = new ArrayList<>();
                batches.put(other, batch);
            }
            batch.add(transfer);
        }
        return batches;
    }

    private Outflow send(int requester, List<Transfer> transfers, Source source) {
        WireWriter headers = new WireWriter(MOST_HEADER_BYTES);
        List<ByteBuffer> pieces = new ArrayList<>();
        for (Transfer transfer : transfers) {
            Parcel parcel = source.give(transfer.item());
            parcel.writeHeader(headers);
            ByteBuffer bytes = parcel.bytes();
            int from = transfer.from(bytes.remaining());
            pieces.add(bytes.slice(bytes.position() + from, transfer.to(bytes.remaining()) - from));
        }
        Outflow out = new Outflow(epoch, requester, TAG);
        byte[] head = headers.toByteArray();
        out.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, head.length));
        out.write(ByteBuffer.wrap(head));
        for (ByteBuffer piece : pieces) {
            out.write(piece);
        }
        out.flush();
        return out;
    }

    private void receive(int holder, List<Transfer> transfers) {
        Inflow in = new Inflow(epoch, holder, TAG);
        WireReader headers = new WireReader(in.readBytes(in.readInt()));
        List<Parcel> parcels = new ArrayList<>();
        for (int i = 0; i < transfers.size(); i++) {
            parcels.add(Parcel.readHeader(headers, begun, Integer.MAX_VALUE));
        }
        headers.requireEnd();
        for (int i = 0; i < transfers.size(); i++) {
            Transfer transfer = transfers.get(i);
            begun.putIfAbsent(transfer.item(), parcels.get(i));
            Parcel parcel = begun.get(transfer.item());
            int length = parcel.bytes().capacity();
            int from = transfer.from(length);
            in.read(parcel.bytes().slice(from, transfer.to(length) - from));
            int left = partsLeft.getOrDefault(transfer.item(), transfer.parts()) - 1;
            partsLeft.put(transfer.item(), left);
            if (left == 0) {
                whole.put(transfer.item(), parcel);
            }
        }
    }
}
