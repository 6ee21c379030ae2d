package org.ulfmj.launch.discovery;

/**
 * Why a run of the discovery's command gave no list of hosts. The job keeps the hosts and slots that it has.
 *
 * @param why a clause that follows the name of the option
 */
public record DiscoveryFailure(Kind kind, String why) {
    /** The kind of failure. The user is told of each kind once only. */
    public enum Kind {
        /** The command cannot be started, or its output cannot be kept. */
        NOT_RUN,
        /** The command ended with another code than 0. */
        EXIT_CODE,
        /** The command took longer than it may, or the killed process of the run before has not ended. */
        TIME_OVER,
        /** The command printed more bytes to stdout or stderr than it may. */
        TOO_LONG,
        /** The command printed no list of hosts, or one without a host or with too many. */
        NO_HOSTS
    }
}
