package org.ulfmj.check.replace;

/** Events of schedules with replace(), by their names in reports. Some schedules must go through most of them. */
public final class ReplaceEvents {
    public static final String ADMITTED = "a newcomer admitted";
    public static final String ADMITTED_DEAD = "a newcomer admitted that was dead";
    public static final String SEVERAL_HOSTS = "a world made on several hosts";
    public static final String RANK_0 = "rank 0 replaced";
    public static final String ALL_BUT_ONE = "all but one replaced";
    public static final String REPLACED_TWICE = "a newcomer replaced";
    public static final String DIED_JOINING = "a newcomer that ended while it waited";
    public static final String DIED_FIRST = "a rank died after its return and before another's";
    public static final String SECOND_FAILURE = "a death during a replace";
    public static final String NOTHING_FAILED = "a replace without a failure";
    public static final String NOT_REPLACED = "a replace that failed for want of processes";
    public static final String MIXED = "a replace that met another call";
    public static final String LAUNCHER_LOST = "the launcher died during a replace";
    public static final String NEWS_LOST = "news that died with the launcher";
    public static final String WENT_AWAY = "a newcomer that was not needed went away";
    public static final String LEFT = "a newcomer finalized";

    /** Name of an event that is counted, but too rare to be required. */
    public static final String EXCLUDED = "a member of a split that the launcher excluded";

    public static final String ENDED_ON_REPORT = "a process that the launcher ended on a report";
    public static final String ROLL_CALL = "all members ended";
    public static final String GATHERED = "a world gathered by the launcher";

    /**
     * Name of an event that is counted, but too rare to be required: a process that keeps a welcome of a member is told
     * of a world that the launcher has gathered.
     */
    public static final String KEPT = "a welcome of a world that has ended, kept until another was gathered";

    /** Name of an event that is counted, but too rare to be required. */
    public static final String ANSWERED = "a roll call that a member answered";

    public static final String REVOKED = "a communicator revoked where the dead are replaced";
    public static final String ABORTED = "a communicator beside the world that could not be built";
    public static final String OLDER_EPOCH = "a communicator made of one of an epoch that is over";
    public static final String DECIDED_LATER = "a call decided in an epoch behind its communicator's";

    /** Name of an event that is counted, but too rare to be required. */
    public static final String SPLIT = "survivors of a split in different worlds";

    /**
     * Name of an event that is rarer than {@link #SPLIT}: after a wrong suspicion has split the job into two worlds of
     * the same epoch, two processes in different worlds live, at least one of which entered its world as a newcomer.
     */
    public static final String NEWCOMERS_SPLIT = "newcomers of a split in different worlds";

    /** Name of an event that is counted, but too rare to be required. */
    public static final String TOLD_TWICE = "a newcomer told of two worlds";

    private ReplaceEvents() {}
}
