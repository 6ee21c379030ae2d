package org.ulfmj.launch.discovery;

/**
 * Why the hosts and slots of a job could not be discovered. It changes nothing for the job.
 *
 * @param why a clause that follows the name of the option
 */
public record DiscoveryFailure(Kind kind, String why) {
    /** The user is told once of each kind. */
    public enum Kind {
        /** The command cannot be started, or its output cannot be kept. */
        NOT_RUN,
        /** The command ended with another code than 0. */
        EXIT_CODE,
        /** The command took longer than it may. */
        TIME_OVER,
        /** The command printed more than a list of hosts can be. */
        TOO_LONG,
        /** The command printed no list of hosts, or one without a host. */
        NO_HOSTS
    }
}
