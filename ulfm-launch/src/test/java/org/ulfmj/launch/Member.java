package org.ulfmj.launch;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.ClientListener;
import org.ulfmj.rendezvous.JoinRequest;
import org.ulfmj.rendezvous.RendezvousClient;
import org.ulfmj.rendezvous.RendezvousException;
import org.ulfmj.runtime.JobConfiguration;
import org.ulfmj.runtime.LaunchEnvironment;
import org.ulfmj.runtime.Options;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * A process that speaks to the launcher as MPI does, and nothing else. Each argument is {@code SLOT=STEPS}, with steps
 * separated by commas: {@code join}, {@code goodbye} or {@code goodbye:2} holding rank 2 for failed, {@code reach} the point
 * of its first trigger, {@code abort:3}, {@code unreachable:1}, {@code hear} one piece of news and print it, {@code exit:3},
 * {@code stay}.
 */
final class Member {
    private static final long PAUSE_NS = 1_000_000;

    private final LaunchEnvironment place = LaunchEnvironment.from(System.getenv());
    private final JobConfiguration configuration = JobConfiguration.read(place.configuration());
    private final int slot = place.process().slot();
    private RendezvousClient client;
    private final Queue<String> news = new ArrayDeque<>();

    private Member() throws IOException {}

    public static void main(String[] arguments) throws IOException {
        Member member = new Member();
        String own = member.slot + "=";
        for (String argument : arguments) {
            if (argument.startsWith(own)) {
                for (String step : argument.substring(own.length()).split(",")) {
                    member.take(step.split(":"));
                }
            }
        }
    }

    private void take(String... step) throws IOException {
        switch (step[0]) {
            case "join" -> join();
            case "goodbye" -> {
                client.goodbye(step.length == 1 ? SlotSet.EMPTY : SlotSet.of(Integer.parseInt(step[1])));
                await(() -> client.isGoodbyeHeard());
            }
            case "reach" -> {
                client.reached(configuration.triggersOf(place.process()).get(0).rule());
                await(() -> false);
            }
            case "abort" -> {
                client.abort(Integer.parseInt(step[1]), "for a test");
                await(() -> client.isFlushed());
            }
            case "unreachable" -> client.unreachable(ProcessId.of(Integer.parseInt(step[1])));
            case "hear" -> {
                await(() -> !news.isEmpty());
                System.out.println(slot + " hears " + news.remove());
            }
            case "exit" -> Runtime.getRuntime().halt(Integer.parseInt(step[1]));
            case "stay" -> await(() -> false);
            default -> throw new IllegalArgumentException(step[0]);
        }
    }

    private void join() throws IOException {
        Options options = configuration.options();
        String[] address = place.rendezvous().split(":");
        MemberRecord me = new MemberRecord(
                place.process(),
                RandomBytes.nextLong(),
                "127.0.0.1",
                1,
                "",
                ProcessHandle.current().pid(),
                0,
                "",
                0);
        try {
            client = RendezvousClient.join(new JoinRequest(
                    new InetSocketAddress(address[0], Integer.parseInt(address[1])),
                    place.runId(),
                    me,
                    JobSecret.read(place.secretFile()),
                    options.hash(),
                    2 * options.joinTimeoutNs(),
                    options.timing().linkBudgetNs()));
        } catch (RendezvousException e) {
            System.out.println(slot + " is out: " + e.getMessage());
            Runtime.getRuntime().halt(9);
        }
    }

    private interface Condition {
        boolean holds();
    }

    private void await(Condition condition) {
        while (!condition.holds()) {
            LockSupport.parkNanos(PAUSE_NS);
            if (client != null) {
                client.poll(System.nanoTime(), new Listener());
            }
        }
    }

    private final class Listener implements ClientListener {
        @Override
        public void onDeath(ProcessId process, String reason) {
            news.add("death of " + process);
        }

        @Override
        public void onDeparted(ProcessId process) {
            news.add("departure of " + process);
        }

        @Override
        public void onFence(String reason) {
            System.out.println(slot + " is fenced: " + reason);
            Runtime.getRuntime().halt(118);
        }

        @Override
        public void onAbort(int code, String reason) {
            news.add("abort " + code);
        }

        @Override
        public void onLauncherLost(String reason) {
            Runtime.getRuntime().halt(119);
        }
    }
}
