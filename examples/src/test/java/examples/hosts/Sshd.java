package examples.hosts;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * An OpenSSH server at a port of the loopback interface, with its own keys. It ends when the test ends, however that
 * happens.
 */
final class Sshd implements AutoCloseable {
    private static final String SERVER = "/usr/sbin/sshd";
    private static final String SCRIPT = "d=$1; mkdir -p /run/sshd; " + SERVER + " -D -e -f $d/sshd_config </dev/null"
            + " >$d/log 2>&1 & p=$!; cat >/dev/null; kill $p; wait $p; rm -r \"$1\"";
    private static final long PAUSE_NS = 20_000_000;
    private static final long MOST_TRIES = 500;

    private final Path directory;
    private final Guarded guarded;

    /** Says which of the files and directories that a server or its test needs is missing here; null if none is. */
    static String obstacle() {
        if (!Files.isExecutable(Path.of(SERVER))) {
            return SERVER + " is missing (Debian: apt install openssh-server)";
        }
        if (!Files.isExecutable(Path.of("/usr/bin/ssh-keygen")) || !Files.isExecutable(Path.of("/usr/bin/ssh"))) {
            return "ssh or ssh-keygen is missing (Debian: apt install openssh-client)";
        }
        return Files.isDirectory(Path.of("/run/sshd")) || Files.isWritable(Path.of("/run"))
                ? null
                : "/run/sshd is missing, which " + SERVER + " needs";
    }

    /** @param names host names by which {@code ssh} reaches the server; all of them lead to it */
    Sshd(String... names) throws IOException {
        directory = Files.createTempDirectory("ulfm-sshd");
        for (String key : List.of("host_key", "user_key")) {
            RunningCommand.output(
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-f",
                    directory.resolve(key).toString());
        }
        Files.copy(directory.resolve("user_key.pub"), directory.resolve("authorized_keys"));
        int port = FreePorts.find(1).get(0);
        Files.writeString(
                directory.resolve("sshd_config"),
                String.join(
                        "\n",
                        "Port " + port,
                        "ListenAddress 127.0.0.1",
                        "HostKey " + directory + "/host_key",
                        "AuthorizedKeysFile " + directory + "/authorized_keys",
                        "PidFile none",
                        "StrictModes no",
                        "UsePAM no",
                        "PermitRootLogin prohibit-password",
                        "PasswordAuthentication no",
                        "KbdInteractiveAuthentication no",
                        "PrintMotd no",
                        ""));
        Files.writeString(
                directory.resolve("ssh_config"),
                String.join(
                        "\n",
                        "Host " + String.join(" ", names),
                        "  HostName 127.0.0.1",
                        "  Port " + port,
                        "  User " + System.getProperty("user.name"),
                        "  IdentityFile " + directory + "/user_key",
                        "  IdentitiesOnly yes",
                        "  StrictHostKeyChecking accept-new",
                        "  LogLevel ERROR",
                        "  UserKnownHostsFile " + directory + "/known_hosts",
                        ""));
        guarded = new Guarded(SCRIPT, directory.toString());
        awaitPort(port);
    }

    private void awaitPort(int port) throws IOException {
        Path log = directory.resolve("log");
        for (int i = 0; i < MOST_TRIES; i++) {
            if (Files.exists(log) && Files.readString(log).contains("Server listening on 127.0.0.1 port " + port)) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        String said = Files.exists(log) ? Files.readString(log) : "nothing";
        close();
        throw new IOException("the server does not listen: " + said);
    }

    /** The options of {@code ssh} with which it reaches the server by one of its host names. */
    String arguments() {
        return "-F " + directory.resolve("ssh_config");
    }

    /** Runs a command by {@code ssh} on the server, and returns its output. */
    String run(String name, String command) throws IOException {
        return RunningCommand.output(
                Map.of(), List.of("ssh", "-F", directory.resolve("ssh_config").toString(), name, command));
    }

    Path directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        guarded.close();
    }
}
