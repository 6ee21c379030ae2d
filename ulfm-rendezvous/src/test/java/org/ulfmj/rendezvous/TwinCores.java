package org.ulfmj.rendezvous;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * A core, and a second one that is restored from its own image after every step. Both are told the same events, and
 * must send the same messages and tell their listeners the same. Time advances only in {@link #passTime}, since a
 * restored core counts all times anew.
 */
final class TwinCores {
    private static final long LONG_NS = 1_000_000_000_000L;

    /** One of the two cores, and a record of the messages that it sends and of what it tells its listener. */
    private static final class Side {
        final List<String> words = new ArrayList<>();
        final Outbox<Long, RendezvousMessage> out = (nonce, message) -> words.add(nonce + ": " + message);
        final ServerListener listener = (ServerListener) Proxy.newProxyInstance(
                ServerListener.class.getClassLoader(), new Class<?>[] {ServerListener.class}, (proxy, method, args) -> {
                    words.add(method.getName() + told(args));
                    return method.getReturnType() == boolean.class ? Boolean.TRUE : none(method.getReturnType());
                });
        RendezvousCore core;

        private static String told(Object[] args) {
            Object[] told = args == null ? new Object[0] : args.clone();
            for (int i = 0; i < told.length; i++) {
                told[i] = told[i] instanceof byte[] bytes ? Arrays.toString(bytes) : told[i];
            }
            return Arrays.toString(told);
        }

        private static Object none(Class<?> type) {
            return type == long.class ? 0L : null;
        }
    }

    private final Side one = new Side();
    private final Side other = new Side();
    private final SortedSet<String> seen = new TreeSet<>();
    private final boolean judges;
    private long nowNs = 1;

    TwinCores(RunSpec run, boolean judges) {
        this.judges = judges;
        one.core = new RendezvousCore(run, one.listener, 7, judges);
        other.core = new RendezvousCore(run, other.listener, 7, judges);
    }

    RendezvousCore core() {
        return one.core;
    }

    long nowNs() {
        return nowNs;
    }

    /**
     * The kinds of messages that were sent, the kinds of events that listeners were told, and the phases that the core
     * was in.
     */
    SortedSet<String> seen() {
        return seen;
    }

    /** Lets so much time pass that every deadline has passed. Returns what differs; null if nothing does. */
    String passTime() {
        nowNs += LONG_NS;
        return step((core, out) -> core.onTick(nowNs, out));
    }

    /**
     * Lets both cores take the same step. Returns a difference between what they do, in words; null if there is none.
     */
    String step(BiConsumer<RendezvousCore, Outbox<Long, RendezvousMessage>> step) {
        one.words.clear();
        other.words.clear();
        step.accept(one.core, one.out);
        step.accept(other.core, other.out);
        if (!one.words.equals(other.words)) {
            return "said " + one.words + ", and restored " + other.words;
        }
        one.words.forEach(
                word -> seen.add(word.replaceAll("^-?\\d+: (\\w+).*", "$1").replaceAll("\\[.*", "")));
        seen.add(one.core.phase().toString());
        byte[] image = one.core.image();
        if (!Arrays.equals(image, other.core.image())) {
            return "another image";
        }
        other.core = RendezvousCore.restored(image, other.listener, 7, judges, 0, nowNs);
        return Arrays.equals(image, other.core.image()) ? null : "restored with another image";
    }
}
