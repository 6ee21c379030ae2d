package org.ulfmj.rendezvous.elect;

import java.nio.charset.StandardCharsets;

/**
 * C1: the keys of a job whose coordinator is elected.
 *
 * @param office exists while a process has the office, under that process's lease; its value is the coordinator's
 *     address, empty until that is written
 * @param state the image of the coordinator's state
 * @param wanted written by a launcher that wants the office while another process has it, under the launcher's lease
 * @param place what the launcher has written for other launchers whose processes join the job
 */
public record ElectionKeys(byte[] office, byte[] state, byte[] wanted, byte[] place) {
    /** @param root the beginning of the keys, without a slash at its end: {@code /ulfm/JOB} */
    public static ElectionKeys under(String root) {
        return new ElectionKeys(
                bytes(root + "/coord"), bytes(root + "/state"), bytes(root + "/wanted"), bytes(root + "/place"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
