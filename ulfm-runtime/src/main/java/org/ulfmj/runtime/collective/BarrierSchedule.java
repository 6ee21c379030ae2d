package org.ulfmj.runtime.collective;

/**
 * No rank leaves before every rank has entered, in ⌈log₂ n⌉ rounds (dissemination): in round k rank r sends to rank r +
 * 2^k and receives from rank r − 2^k; it then knows of 2^(k+1) ranks, or of all, that they have entered.
 */
public final class BarrierSchedule extends CollectiveSchedule {
    public BarrierSchedule() {
        super("barrier");
    }

    @Override
    public boolean waitsForAll() {
        return true;
    }

    @Override
    protected void plan(Plan plan) {
        int size = plan.size();
        for (int distance = 1; distance < size; distance *= 2) {
            plan.awaitSignal((plan.rank() + size - distance) % size);
            plan.signal((plan.rank() + distance) % size);
            plan.await();
        }
    }
}
