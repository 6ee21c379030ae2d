package org.ulfmj.launch.command;

import org.ulfmj.launch.hosts.AgentStart;

/**
 * What a command line says of a job whose world grows. A launcher of a static job does not load this class.
 *
 * @param min members that the world needs to begin; 0 where processes join a job that another launcher has started
 * @param max members that the world may have; 0 where processes join
 * @param reportFile where to write what another launcher needs whose processes join the job; null for nowhere
 * @param joinFile what the launcher of the job has written, or the URL of a job whose coordinator is elected; null
 *     where the job is this launcher's own
 * @param discovery the command that prints the hosts and slots of the job; null where they are those of the command
 *     line
 * @param agents how agents of discovered hosts are started; null where no hosts are discovered
 */
public record ElasticJob(int min, int max, String reportFile, String joinFile, String discovery, AgentStart agents) {
    /** A job whose slots are those of the command line. */
    public ElasticJob(int min, int max, String reportFile, String joinFile) {
        this(min, max, reportFile, joinFile, null, null);
    }

    /** Whether the processes join a job that another launcher has started. */
    public boolean isJoining() {
        return joinFile != null;
    }

    /** Whether the job is found in etcd. */
    public boolean isJoiningByUrl() {
        return joinFile != null && joinFile.contains("://");
    }

    /** Whether the command line is one that begins a job, and the job runs already. */
    public boolean isSecondRun() {
        return joinFile != null && max > 0;
    }

    /** The same command line, whose job runs already. */
    public ElasticJob joining(String url) {
        return new ElasticJob(min, max, null, url);
    }
}
