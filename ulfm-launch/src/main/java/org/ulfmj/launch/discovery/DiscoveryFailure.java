package org.ulfmj.launch.discovery;

/**
 * Why a run of the discovery's command gave no hosts that can be used. The job keeps the hosts and slots that it has.
 *
 * @param why a clause that follows the name of the option
 */
public record DiscoveryFailure(Kind kind, String why) {
    /** The kind of failure. Without verbose output, the user is told of each kind once only. */
    public enum Kind {
        /** The command cannot be started, or its output cannot be kept or read. */
        NOT_RUN,
        /** The command ended with another code than 0. */
        EXIT_CODE,
        /** The command took longer than it may, or the killed process of the run before has not ended. */
        TIME_OVER,
        /** The command printed more bytes to stdout or stderr than it may. */
        TOO_LONG,
        /** The command printed no list of hosts, or one with too many hosts or without a slot that the job may use. */
        NO_HOSTS
    }
}
