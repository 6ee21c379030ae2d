package org.ulfmj.launch.command;

import java.util.List;
import java.util.Map;

/** NVFlare's names of timeouts, each with the {@code ulfm.*} option for which {@code --set} takes it. */
final class NvflareNames {
    private static final Map<String, String> OURS = Map.of(
            "per_msg_timeout", "ulfm.link.rto",
            "tx_timeout", "ulfm.link.budget",
            "heart_beat_timeout", "ulfm.fd.timeout",
            "max_client_op_interval", "ulfm.silence.limit",
            "progress_timeout", "ulfm.progress.limit");

    private NvflareNames() {}

    /**
     * Puts the setting under the name of our option, if the name is one of NVFlare's. A number without a unit means
     * seconds, as in NVFlare.
     *
     * @param told gets a sentence that says which of our options was set to what
     * @return whether the name is one of NVFlare's
     */
    static boolean put(Map<String, String> settings, String name, String value, List<String> told) {
        String ours = OURS.get(name);
        if (ours == null) {
            return false;
        }
        String trimmed = value.trim();
        boolean isPlain = !trimmed.isEmpty() && trimmed.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.');
        String text = isPlain ? trimmed + "s" : trimmed;
        settings.put(ours, text);
        told.add("--set " + name + "=" + value + " is here " + ours + "=" + text);
        return true;
    }
}
