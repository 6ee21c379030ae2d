package org.ulfmj.launch.command;

import org.ulfmj.launch.hosts.AgentStart;

/**
 * The options of an elastic job, whose world grows. A launcher of a job with a fixed number of ranks does not load this
 * class.
 *
 * @param min members that the world needs to begin; 0 where processes join a job by {@code --join}
 * @param max members that the world may have; 0 where processes join a job by {@code --join}
 * @param reportFile where to write what another launcher needs to let its processes join this job; null for nowhere
 * @param joinFile of a job that runs already: the file that its launcher has written, or the URL in etcd of a job whose
 *     coordinator is elected; null where this launcher starts the job
 * @param discovery the command that prints the hosts and slots of the job; null where no hosts are discovered
 * @param agents how agents of discovered hosts are started; null where no hosts are discovered
 */
public record ElasticJob(int min, int max, String reportFile, String joinFile, String discovery, AgentStart agents) {
    /** An elastic job without discovery of hosts. */
    public ElasticJob(int min, int max, String reportFile, String joinFile) {
        this(min, max, reportFile, joinFile, null, null);
    }

    /** Whether the processes join a job that another launcher has started. */
    public boolean isJoining() {
        return joinFile != null;
    }

    /** Whether the processes join a job that is found in etcd by a URL. */
    public boolean isJoiningByUrl() {
        return joinFile != null && joinFile.contains("://");
    }

    /**
     * Whether this is the command line of a whole job ({@code -n MIN:MAX --rdzv}) that was started a second time while
     * the job runs, so that its processes join that job.
     */
    public boolean isSecondRun() {
        return joinFile != null && max > 0;
    }

    /** The same job for a launcher that has found the job running already: its processes join the job at this URL. */
    public ElasticJob joining(String url) {
        return new ElasticJob(min, max, null, url);
    }
}
