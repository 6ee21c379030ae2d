package org.ulfmj.transport.session;

import java.util.ArrayList;
import java.util.List;

/** Records the actions that a session asks for. Its dials are the connections 1, 2, 3, … */
final class RecordedActions implements LinkActions<Integer> {
    private final List<String> log = new ArrayList<>();
    private int dials;
    /** Whether the operating system of the peer accepts each dial at once. */
    boolean isReached = true;

    /** What was asked since the last call. */
    List<String> take() {
        List<String> taken = List.copyOf(log);
        log.clear();
        return taken;
    }

    Integer lastDial() {
        return dials;
    }

    @Override
    public Integer dial() {
        log.add("dial " + ++dials);
        return dials;
    }

    @Override
    public boolean isReached(Integer connection) {
        return isReached;
    }

    @Override
    public void sendHello(Integer connection, LinkHello hello) {
        log.add("hello " + connection + " gen " + hello.generation() + " delivered " + hello.lastDelivered());
    }

    @Override
    public void sendOk(Integer connection, LinkOk ok) {
        log.add("ok " + connection + " gen " + ok.generation() + " delivered " + ok.lastDelivered());
    }

    @Override
    public void sendRefusal(Integer connection, LinkRefusal refusal) {
        log.add("refuse " + connection + " " + refusal);
    }

    @Override
    public void sendYouFailed(Integer connection) {
        log.add("you failed " + connection);
    }

    @Override
    public void sendAck(Integer connection, long ackUpTo) {
        log.add("ack " + connection + " " + ackUpTo);
    }

    @Override
    public void halfClose(Integer connection) {
        log.add("half-close " + connection);
    }

    @Override
    public void close(Integer connection) {
        log.add("close " + connection);
    }

    @Override
    public void adopted(Integer connection) {
        log.add("adopted " + connection);
    }

    @Override
    public void acknowledged(long upTo) {
        log.add("acknowledged " + upTo);
    }

    @Override
    public void discarded() {
        log.add("discarded");
    }

    @Override
    public void lost() {
        log.add("lost");
    }

    @Override
    public void restored() {
        log.add("restored");
    }

    @Override
    public void distrusted(Integer connection, String what) {
        log.add("distrusted " + connection + ": " + what);
    }

    @Override
    public void excluded() {
        log.add("excluded");
    }

    @Override
    public void superseded(LinkIdentity by) {
        log.add("superseded by " + by);
    }

    @Override
    public void misnamed(LinkIdentity other) {
        log.add("misnamed " + other);
    }

    @Override
    public void renamed(LinkIdentity other) {
        log.add("renamed " + other);
    }
}
