package org.ulfmj.check.grow;

/** The names in reports of events that come up in schedules with grow(); all but the last two are required ones. */
public final class GrowEvents {
    public static final String ADMITTED = "a joiner let in";
    public static final String ADMITTED_DEAD = "a joiner let in that was dead";
    public static final String SEVERAL_AT_ONCE = "several joiners let in at once";
    public static final String UNCHANGED = "a grow that changes nothing";
    public static final String LEFT_OUT = "a grow that leaves a dead member out";
    public static final String REPLACED_TOO = "a grow that fills a dead member's slot";
    public static final String BEYOND_THE_MOST = "a joiner that waits, as the world has its most members";
    public static final String GREW_TWICE = "a joiner whose world grows again";
    public static final String MIXED = "a grow that met another call";
    public static final String GAVE_UP = "a joiner that ended while it waited";
    public static final String DIED_FIRST = "a rank died after its return from a grow and before another's";
    public static final String SENT_AWAY = "a joiner sent away at the end of the job";
    public static final String FINALIZED = "a joiner finalized";
    public static final String OLD_NEWS = "news of a joiner that had been let in and was gone";

    /** Name of an event that is counted, but too rare to be required. */
    public static final String TWO_NAMES = "a joiner that was named for two slots";

    /** Name of an event that is counted, but too rare to be required. */
    public static final String NOT_ME = "a message for a joiner under a name that is not its own";

    private GrowEvents() {}
}
