package org.ulfmj.launch.agent;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.launch.command.BindTo;
import org.ulfmj.launch.program.StartCommand;
import org.ulfmj.transport.auth.JobSecret;

/** A specification of agents for tests. */
final class Specs {
    private Specs() {}

    static AgentSpec one() {
        Map<String, String> environment = new HashMap<>();
        environment.put("LANG", "de_DE.UTF-8");
        environment.put("DISPLAY", null);
        return new AgentSpec(
                "3f9a",
                4,
                2,
                1,
                JobSecret.of(new byte[JobSecret.LENGTH_BYTES]),
                77,
                List.of("10.0.0.1", "fd00::1"),
                4711,
                4712,
                Map.of("ulfm.fd.timeout", "1s"),
                "ulfm.fd.timeout=1s\n",
                BindTo.CPU_LIST,
                "0,1",
                List.of(new AgentSpec.Host("here", 0, 0, 0, 0, 0, 2), new AgentSpec.Host("node1", 5, 4, 3, 6, 1, 2)),
                List.of(new StartCommand(List.of("java", "Mäin", ""), environment, Path.of("/home/me"), true)));
    }
}
