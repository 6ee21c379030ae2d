package org.ulfmj.rendezvous.elect;

/**
 * The events of an {@link Election}. The methods are called within its steps, and may call {@link Election#store} and
 * the like.
 */
public interface ElectionListener {
    /**
     * This process has the office.
     *
     * @param image the state from which it goes on; null if none was ever stored, or if it was deleted because the job
     *     has ended
     */
    void onElected(byte[] image);

    /** The image of {@link Election#store} is stored. */
    void onStored();

    /**
     * Tells whether members can find this process, which has the office: its address is written, and etcd has answered
     * the last request. Called when that changes; a process that was just elected cannot be found yet. Not called once
     * the office is lost.
     */
    void onFindable(boolean isFindable);

    /** This process has lost the office, or has laid it down. */
    void onDeposed(String why);

    /**
     * Another process has the office, or none has.
     *
     * @param address of the coordinator; null if the office is empty, or if the address is not written yet
     * @param term tells this coordinator from all others; 0 if the office is empty
     */
    void onCoordinator(String address, long term);

    /** What {@link Election#finish} asked for is done. */
    void onFinished();
}
