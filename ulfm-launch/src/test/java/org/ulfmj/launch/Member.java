package org.ulfmj.launch;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.JoinRequest;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.rendezvous.client.RendezvousException;
import org.ulfmj.rendezvous.client.SpareRequest;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.HostProcess;

/**
 * A process that exchanges messages with the launcher as MPI does, and does nothing else. Each argument is
 * {@code RANK=STEPS}, where a replacement is {@code 1'1}, with steps separated by commas: {@code join}, {@code goodbye}
 * or {@code goodbye:2} holding rank 2 for failed, {@code reach} the point of its first fault trigger, {@code abort:3},
 * {@code suspect:1}, {@code hear} one piece of news from the launcher and print it, {@code admit} the newcomer that was
 * announced last, or itself, {@code gather} in a new world when the old one is gone, {@code exit:3}, {@code stay}.
 */
final class Member {
    private static final long PAUSE_NS = 1_000_000;
    /** How much later than the time for joining the launcher may say that this time is over. */
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final long nonce = RandomBytes.nextLong();
    private final LaunchEnvironment place;
    private final JobConfiguration configuration;
    private final ProcessId slot;
    private final Queue<String> news = new ArrayDeque<>();
    private RendezvousClient client;
    private MemberRecord me;
    private MemberRecord newcomer;
    /** Whether this process waits to become a member of a running world, or of a new one. */
    private boolean isWaiting;

    private int epoch;

    private Member(LaunchEnvironment given) throws IOException {
        configuration = JobConfiguration.read(given.configuration());
        place = given.isWaitingForSlot() ? given.assigned(assignment(given)) : given;
        slot = place.process();
    }

    private ProcessId assignment(LaunchEnvironment spare) throws IOException {
        try {
            return RendezvousClient.awaitAssignment(new SpareRequest(
                    address(spare),
                    spare.runId(),
                    spare.spare(),
                    nonce,
                    JobSecret.read(spare.secretFile()),
                    configuration.options().hash(),
                    configuration.options().timing().linkBudgetNs()));
        } catch (RendezvousException e) {
            System.out.println("spare " + spare.spare() + " is out: " + e.reason());
            Runtime.getRuntime().halt(e.reason() == OutReason.CLOSED ? 0 : 9);
            throw e;
        }
    }

    public static void main(String[] arguments) throws IOException {
        Member member = new Member(LaunchEnvironment.from(System.getenv()));
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
                client.reached(configuration.triggersOf(slot).get(0).rule());
                await(() -> false);
            }
            case "abort" -> {
                client.abort(Integer.parseInt(step[1]), "for a test");
                await(() -> client.isFlushed());
            }
            case "admit" -> admit();
            case "gather" -> await(() -> !isWaiting);
            case "suspect" -> client.suspect(ProcessId.of(Integer.parseInt(step[1])));
            case "hear" -> {
                await(() -> !news.isEmpty());
                System.out.println(slot + " hears " + news.remove());
            }
            case "exit" -> Runtime.getRuntime().halt(Integer.parseInt(step[1]));
            case "stay" -> await(() -> false);
            default -> throw new IllegalArgumentException(step[0]);
        }
    }

    /**
     * Tells the launcher that the world has admitted the newcomer, as all members of a world do that have agreed on it.
     */
    private void admit() {
        MemberRecord admitted = newcomer == null ? me : newcomer;
        List<MemberRecord> members = new ArrayList<>(client.table());
        members.removeIf(member -> member.id().slot() == admitted.id().slot());
        members.add(admitted);
        members.sort(Comparator.comparing(MemberRecord::id));
        epoch++;
        client.committed(epoch, members, epoch);
        await(() -> client.isFlushed());
    }

    private static InetSocketAddress address(LaunchEnvironment place) {
        String[] address = place.rendezvous().split(":");
        return new InetSocketAddress(address[0], Integer.parseInt(address[1]));
    }

    private void join() throws IOException {
        Options options = configuration.options();
        me = new MemberRecord(
                place.process(),
                nonce,
                0,
                "127.0.0.1",
                1,
                "",
                new HostProcess(ProcessHandle.current().pid(), 0, 0, ""));
        try {
            client = RendezvousClient.join(new JoinRequest(
                    address(place),
                    place.runId(),
                    me,
                    JobSecret.read(place.secretFile()),
                    options.hash(),
                    options.joinTimeoutNs() + PATIENCE_NS,
                    options.timing().linkBudgetNs()));
            isWaiting = client.isPending();
            if (isWaiting) {
                System.out.println(slot + " waits for " + client.table().size() + " members");
            }
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
        public void onPending(MemberRecord pending) {
            newcomer = pending;
            news.add("that " + pending.id() + " waits");
        }

        @Override
        public void onNoMore(int emptySlot, String why) {
            news.add("no more of " + emptySlot + ": " + why);
        }

        @Override
        public void onOut(OutReason reason, String text) {
            System.out.println(slot + " is left out: " + reason);
            Runtime.getRuntime().halt(0);
        }

        @Override
        public void onGathered(List<MemberRecord> members) {
            isWaiting = false;
            news.add("a new world of " + members.stream().map(MemberRecord::id).toList());
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
        public void onAreYouThere(long question, List<ProcessId> complainers) {
            client.here(question);
        }

        @Override
        public void onDoYouHear(long question, ProcessId process) {
            client.stillNothing(question, process);
        }

        @Override
        public void onSilenced(ProcessId process, String reason) {
            news.add("silence of " + process);
        }

        @Override
        public void onLauncherLost(String reason) {
            Runtime.getRuntime().halt(119);
        }
    }
}
