package examples.soak;

import examples.soak.RankStatus.Field;

/**
 * A death as it happened.
 *
 * @param planned the death in the plan
 * @param pid of the victim
 * @param atNs the moment just before the signal was sent
 * @param status of the victim, which is its last one if the signal was a kill
 */
record Strike(StrikePlan.Death planned, long pid, long atNs, RankStatus status) {
    /** The call, or the time outside of calls, that the victim's status shows: the last noted if it was killed. */
    SoakCall call() {
        return status.call();
    }

    @Override
    public String toString() {
        return "planned: " + planned + "; landed in its call " + status.get(Field.CALLS) + ": " + call();
    }
}
