package org.ulfmj.check.survivor;

/**
 * Events of schedules of survivor cores, by their names in reports. Most of them are events that some schedules must go
 * through.
 */
public final class SurvivorEvents {
    public static final String SLOW = "a slow entrant";
    public static final String OUT_OF_ORDER = "overlapping calls that ended out of their order";
    public static final String REPEATED = "messages of agreements that came twice";
    public static final String LEFT = "a rank finalized";
    public static final String ABORTED = "a communicator that failed to be created";
    public static final String EARLY_REVOCATION = "a revocation before its communicator";
    public static final String MIXED_KINDS = "mixed kinds of calls";

    private SurvivorEvents() {}
}
