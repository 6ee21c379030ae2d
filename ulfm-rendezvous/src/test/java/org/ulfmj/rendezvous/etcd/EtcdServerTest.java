package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdServerTest {
    private static final byte[] KEY = {'k'};

    @TempDir
    private Path directory;

    @Test
    void shouldKeepItsDataAndItsPortWhenItIsStartedAgainAndLeaveNothing() throws Exception {
        EtcdServer server = RunningEtcd.start();
        EtcdClient client = RunningEtcd.client(server);
        String endpoint = server.endpoint();
        long pid = server.pid();
        try {
            client.put(KEY, new byte[] {1}, 0, RunningEtcd.soon());
            assertThatThrownBy(server::restart).hasMessage("etcd runs: process " + pid);
            server.kill();
            assertThat(ProcessHandle.of(pid).isPresent()).isFalse();
            server.restart();
            assertThat(server.endpoint()).isEqualTo(endpoint);
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(client.get(KEY, RunningEtcd.soon()).value()).containsExactly(1);
        } finally {
            server.close();
        }
        server.close();
        assertThat(ProcessHandle.of(server.pid()).isPresent()).isFalse();
        assertThat(server.directory()).doesNotExist();
    }

    /** The program of a separate virtual machine, which starts an etcd server and exits without closing it. */
    static final class Leaver {
        private Leaver() {}

        public static void main(String[] arguments) throws Exception {
            EtcdServer server = EtcdServer.start();
            System.out.println(server.pid() + " " + server.directory());
            System.exit(0);
        }
    }

    @Test
    void shouldEndWithItsVirtualMachine() throws Exception {
        RunningEtcd.assume();
        Process leaver = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Leaver.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] said = new String(leaver.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .split(" ");
        assertThat(leaver.waitFor()).isZero();
        assertThat(ProcessHandle.of(Long.parseLong(said[0])).filter(ProcessHandle::isAlive))
                .isEmpty();
        assertThat(Path.of(said[1])).doesNotExist();
    }

    private Path script(String text) throws IOException {
        Path file = directory.resolve("etcd");
        Files.writeString(file, "#!/bin/sh\n" + text, StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }

    @Test
    void shouldTryAnotherPortWhereAnotherProcessHasTakenTheFirst() throws Exception {
        RunningEtcd.assume();
        Path taken = directory.resolve("taken");
        Path second = script("test -e " + taken + " && exec " + EtcdServer.binary() + " \"$@\"\n"
                + "echo \"$@\" > " + taken + "\n"
                + "echo 'listen tcp 127.0.0.1:1: bind: address already in use'; exit 1\n");
        try (EtcdServer server = EtcdServer.start(second);
                EtcdClient client = RunningEtcd.client(server)) {
            assertThat(client.put(KEY, new byte[] {1}, 0, RunningEtcd.soon())).isPositive();
            assertThat(Files.readString(taken)).doesNotContain(server.endpoint());
        }
    }

    /** A port that is never free. */
    @Test
    void shouldNotTryPortsForEver() throws Exception {
        Path failing =
                script("echo x >> " + directory.resolve("tries") + "; echo 'bind: address already in use'; exit 1\n");
        assertThatThrownBy(() -> EtcdServer.start(failing))
                .isInstanceOf(IOException.class)
                .hasMessage("etcd has ended with code 1: bind: address already in use");
        assertThat(Files.readAllLines(directory.resolve("tries"))).hasSize(3);
    }

    @Test
    void shouldSayWhyItDoesNotStart() throws Exception {
        Path none = directory.resolve("none");
        assertThatThrownBy(() -> EtcdServer.start(none))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("etcd cannot be started: ")
                .hasMessageContaining(none.toString());
        Path failing = script("echo 'no space left'; exit 3\n");
        assertThatThrownBy(() -> EtcdServer.start(failing))
                .isInstanceOf(IOException.class)
                .hasMessage("etcd has ended with code 3: no space left");
    }
}
