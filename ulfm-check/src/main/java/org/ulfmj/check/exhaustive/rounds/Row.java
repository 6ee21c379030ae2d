package org.ulfmj.check.exhaustive.rounds;

import java.util.Arrays;

/**
 * A state of a small world, as numbers: the state of the launcher, the faults that are left, and the state of each
 * process.
 */
final class Row {
    /** What has become of a process. */
    enum Life {
        NOT_STARTED,
        UP,
        /** It was killed. */
        DEAD,
        /** It has ended by itself: it was told to, has left, or has heard that the others went on without it. */
        OVER
    }

    private static final int LAUNCHER = 0;
    private static final int FAULTS = 1;
    private static final int PROCESSES = FAULTS + RoundsSmall.Fault.values().length;

    private static final int LIFE = 0;
    private static final int CLIENT = 1;
    private static final int QUEUE = 2;
    private static final int BAG = 3;
    private static final int WELCOME = 4;
    private static final int SEAT = 5;
    private static final int CONFIRMED = 6;
    private static final int FLAGS = 7;
    private static final int WIDTH = 8;

    private static final int PAUSED = 1;
    private static final int DIRTY = 2;
    private static final int CLOSED = 4;

    private final int[] numbers;

    Row(int processes) {
        numbers = new int[PROCESSES + processes * WIDTH];
    }

    private Row(int[] numbers) {
        this.numbers = numbers;
    }

    Row copy() {
        return new Row(numbers.clone());
    }

    int processes() {
        return (numbers.length - PROCESSES) / WIDTH;
    }

    private int at(int process, int field) {
        return numbers[PROCESSES + process * WIDTH + field];
    }

    private void put(int process, int field, int value) {
        numbers[PROCESSES + process * WIDTH + field] = value;
    }

    int launcher() {
        return numbers[LAUNCHER];
    }

    void launcher(int state) {
        numbers[LAUNCHER] = state;
    }

    int left(RoundsSmall.Fault fault) {
        return numbers[FAULTS + fault.ordinal()];
    }

    void left(RoundsSmall.Fault fault, int count) {
        numbers[FAULTS + fault.ordinal()] = count;
    }

    void use(RoundsSmall.Fault fault) {
        numbers[FAULTS + fault.ordinal()]--;
    }

    Life life(int process) {
        return Life.values()[at(process, LIFE)];
    }

    void life(int process, Life life) {
        put(process, LIFE, life.ordinal());
    }

    /** Ends a process. Messages that it has sent stay on their way, those to it are dropped. */
    void end(int process, Life how) {
        life(process, how);
        put(process, CLIENT, 0);
        put(process, QUEUE, 0);
        put(process, WELCOME, 0);
        put(process, FLAGS, at(process, FLAGS) & ~PAUSED);
    }

    boolean isUp(int process) {
        return life(process) == Life.UP;
    }

    boolean isAble(int process) {
        return isUp(process) && !isPaused(process);
    }

    int client(int process) {
        return at(process, CLIENT);
    }

    void client(int process, int state) {
        put(process, CLIENT, state);
    }

    /** Number of the list of messages on their way to the process, which arrive in this order. */
    int queue(int process) {
        return at(process, QUEUE);
    }

    void queue(int process, int list) {
        put(process, QUEUE, list);
    }

    /** Number of the list of messages on their way from the process, which may arrive in any order. */
    int bag(int process) {
        return at(process, BAG);
    }

    void bag(int process, int list) {
        put(process, BAG, list);
    }

    /** Number of the world into which the process is still to be welcomed, plus 1; 0 if there is none. */
    int welcome(int process) {
        return at(process, WELCOME);
    }

    void welcome(int process, int world) {
        put(process, WELCOME, world);
    }

    int seat(int process) {
        return at(process, SEAT);
    }

    void seat(int process, int seat) {
        put(process, SEAT, seat);
    }

    /** The last round that the process has confirmed; kept when it ends. */
    int confirmed(int process) {
        return at(process, CONFIRMED);
    }

    void confirmed(int process, int round) {
        put(process, CONFIRMED, round);
    }

    boolean isPaused(int process) {
        return (at(process, FLAGS) & PAUSED) != 0;
    }

    void pause(int process) {
        put(process, FLAGS, at(process, FLAGS) | PAUSED | DIRTY);
    }

    void resume(int process) {
        put(process, FLAGS, at(process, FLAGS) & ~PAUSED);
    }

    /** Whether others have had cause to go on without the process, so that it may be fenced or refused. */
    boolean isDirty(int process) {
        return (at(process, FLAGS) & DIRTY) != 0;
    }

    void dirty(int process) {
        put(process, FLAGS, at(process, FLAGS) | DIRTY);
    }

    boolean isClosed() {
        return (at(0, FLAGS) & CLOSED) != 0;
    }

    void close() {
        put(0, FLAGS, at(0, FLAGS) | CLOSED);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Row that && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers);
    }
}
