package org.ulfmj.runtime.inject;

import org.ulfmj.protocol.NearestName;

/**
 * Reads what stands behind the {@code @} of a rule.
 *
 * <pre>
 * WHEN  := [t=]DURATION | t=random[(DURATION)] | now | op=NAME[#K][PART] | op=NAME#random[(K)][PART] | iter=K
 *        | point=NAME[#K] | phase=NAME[#K] | ckpt=K | v=V,seq=S | byte=B | byte=random(B) | ev=EVENT[+DURATION]
 * PART  := /enter | /mid | /exit
 * EVENT := dead(R) | joined(R) | revoked | agreed
 * UNTIL := DURATION        after the start, as t; behind any other WHEN: how long
 * </pre>
 */
final class MomentParser {
    private static final long DEFAULT_RANDOM_WITHIN_NS = 2_000_000_000;
    private static final long DEFAULT_RANDOM_CALLS = 100;
    private static final String RANDOM = "random";
    private static final String UNTIL = "..";

    private final FaultAction action;
    private final int size;
    private Moment moment;
    private long durationNs;

    MomentParser(FaultAction action, int size) {
        this.action = action;
        this.size = size;
    }

    Moment moment() {
        return moment;
    }

    /** How long the fault lasts; 0 if the rule does not say. */
    long durationNs() {
        return durationNs;
    }

    void read(RulePart when) {
        int dots = when.indexOf(UNTIL);
        RulePart begin = dots < 0 ? when : when.before(dots);
        moment = moment(begin);
        checkMoment(begin);
        if (dots >= 0) {
            takeUntil(when.after(dots + UNTIL.length()));
        } else if (action == FaultAction.STORE_PAUSE
                || action == FaultAction.RANDOM && !(moment instanceof Moment.AtRandomOperation)) {
            throw when.refused(action.word() + " lacks its end; write @t=1s..3s");
        }
    }

    private void takeUntil(RulePart until) {
        if (until.text().equals("heal")) {
            throw until.refused(
                    "there is no rule that heals; write a time, as in @t=2s..4s, or none for as long as the job lasts");
        }
        if (!action.mayLast()) {
            throw until.refused(action.word() + " has no end; leave out " + UNTIL + until.text());
        }
        long endNs = TargetParser.duration(until, "until");
        durationNs = moment instanceof Moment.AtTime at ? endNs - at.afterStartNs() : endNs;
        if (durationNs <= 0) {
            throw until.refused("the end must be behind the beginning");
        }
    }

    private Moment moment(RulePart when) {
        String text = when.text();
        if (text.equals("now")) {
            return new Moment.AtTime(0);
        }
        int equals = text.indexOf('=');
        if (equals < 0 && !text.isEmpty() && Character.isDigit(text.charAt(0))) {
            return time(when);
        }
        RulePart value = when.after(equals + 1);
        return switch (equals < 0 ? "" : text.substring(0, equals)) {
            case "t" -> time(value);
            case "op" -> operation(value);
            case "iter" -> new Moment.AtIteration(value.number("iter", 0, Integer.MAX_VALUE));
            case "point" -> point(value);
            case "phase" -> phase(value);
            case "ckpt" ->
                new Moment.AtPoint(KillPoints.RABIT_AFTER_COMMIT, value.number("ckpt", 1, Integer.MAX_VALUE));
            case "byte" -> sentBytes(value);
            case "v" -> position(value);
            case "ev" -> event(value);
            default ->
                throw when.refused("'" + text + "' is no moment; write t=2s, t=random, now, op=allreduce#100, op=*#7,"
                        + " iter=40, point=rabit.before-commit, phase=agree#1, ckpt=2, byte=5000, ev=dead(0)+5ms or"
                        + " v=1,seq=0");
        };
    }

    private void checkMoment(RulePart when) {
        boolean isTime = moment instanceof Moment.AtTime;
        boolean isRandomCall = moment instanceof Moment.AtRandomOperation;
        switch (action.actor()) {
            case LINK, HOSTS -> {
                if (!isTime) {
                    throw when.refused("faults of links and hosts begin at a time: write t=2s or now");
                }
            }
            case LAUNCHER_ITSELF -> {
                boolean isSeen =
                        moment instanceof Moment.AtEvent at && at.event().isOfRank();
                if (!isTime && !isSeen) {
                    throw when.refused(
                            action.word() + " begins at what mpiexec sees: t=2s, now, ev=dead(R), ev=joined(R)");
                }
            }
            case SEED -> {
                if (!isTime && !isRandomCall) {
                    throw when.refused(
                            "random is drawn from a time or from calls: write t=1s..60s or op=*#random(100)");
                }
            }
            default -> checkPoint(when);
        }
    }

    private void checkPoint(RulePart when) {
        boolean isByte = moment instanceof Moment.AtByte || moment instanceof Moment.AtRandomByte;
        if (isByte && action != FaultAction.KILL) {
            throw when.refused("byte= is for kill alone");
        }
        boolean isInside = moment instanceof Moment.AtOperation at && at.part() != CallPart.ENTER
                || moment instanceof Moment.AtRandomOperation drawn && drawn.part() != CallPart.ENTER;
        if (isInside && (action == FaultAction.HANG || action == FaultAction.SLOW)) {
            throw when.refused(action.word() + " holds a thread where its call begins; leave out /mid and /exit");
        }
    }

    private static RulePart name(RulePart value) {
        int hash = value.indexOf("#");
        return hash < 0 ? value : value.before(hash);
    }

    /** Returns the number behind the {@code #} of a name; 1 if there is none. */
    private static long number(RulePart value, String what) {
        int hash = value.indexOf("#");
        return hash < 0 ? 1 : value.after(hash + 1).number(what, 1, Integer.MAX_VALUE);
    }

    private Moment point(RulePart value) {
        String name = name(value).text();
        if (!KillPoints.ALL.contains(name)) {
            throw value.refused(
                    "unknown point '" + name + "'; the nearest known one is " + NearestName.to(name, KillPoints.ALL));
        }
        return new Moment.AtPoint(name, number(value, "point"));
    }

    /**
     * Returns the moment of a phase of a protocol, as {@code phase=} names it: mostly, a call of that name has begun to
     * wait for the other ranks.
     */
    private Moment phase(RulePart value) {
        String name = name(value).text();
        long count = number(value, "phase");
        return switch (name) {
            case "agree", "shrink", "replace", "finalize" -> new Moment.AtOperation(name, count, CallPart.MID);
            case "ckpt" -> new Moment.AtPoint(KillPoints.RABIT_BEFORE_COMMIT, count);
            case "loadckpt" -> new Moment.AtPoint(KillPoints.RABIT_LOAD, count);
            case "rdzv(join)" -> new Moment.AtPoint(KillPoints.JOIN_PENDING, count);
            case "rdzv(confirm)" -> new Moment.AtPoint(KillPoints.JOIN_ADMITTED, count);
            case "rdzv(frozen)" ->
                throw value.refused(
                        "no rank passes it: the rendezvous freezes inside of mpiexec;" + " write point=join.pending");
            default ->
                throw value.refused("unknown phase '" + name + "'; known: agree shrink replace finalize ckpt"
                        + " loadckpt rdzv(join) rdzv(confirm); for others write op=NAME#K/mid");
        };
    }

    private static Moment sentBytes(RulePart value) {
        RulePart within = value.inside(RANDOM);
        return within != null
                ? new Moment.AtRandomByte(within.number("byte", 1, Integer.MAX_VALUE))
                : new Moment.AtByte(value.number("byte", 1, Integer.MAX_VALUE));
    }

    /** Returns the moment that the text after {@code v=} names: a call of the recovery mode. */
    private static Moment position(RulePart value) {
        int comma = value.indexOf(",");
        RulePart rest = value.after(comma + 1);
        if (comma < 0 || !rest.text().startsWith("seq=")) {
            throw value.refused("a place of the replay is written v=1,seq=0");
        }
        long version = value.before(comma).number("v", 0, Integer.MAX_VALUE);
        return new Moment.AtPosition(version, rest.after("seq=".length()).number("seq", 0, Integer.MAX_VALUE));
    }

    private Moment time(RulePart value) {
        RulePart within = value.inside(RANDOM);
        if (value.text().equals(RANDOM) || within != null) {
            if (!action.isOfRank()) {
                throw value.refused("t=random is for faults of ranks");
            }
            return new Moment.AtRandomTime(
                    within == null ? DEFAULT_RANDOM_WITHIN_NS : TargetParser.duration(within, "t"));
        }
        return new Moment.AtTime(TargetParser.duration(value, "t"));
    }

    private static Moment operation(RulePart value) {
        int slash = value.indexOf("/");
        RulePart call = slash < 0 ? value : value.before(slash);
        CallPart part = slash < 0 ? CallPart.ENTER : part(value.after(slash + 1));
        String name;
        try {
            name = CallNames.of(name(call).text());
        } catch (IllegalArgumentException e) {
            throw value.refused(e.getMessage());
        }
        int hash = call.indexOf("#");
        RulePart number = hash < 0 ? null : call.after(hash + 1);
        if (number != null && number.text().equals(RANDOM)) {
            return new Moment.AtRandomOperation(name, DEFAULT_RANDOM_CALLS, part);
        }
        RulePart within = number == null ? null : number.inside(RANDOM);
        return within != null
                ? new Moment.AtRandomOperation(name, within.number("op", 1, Integer.MAX_VALUE), part)
                : new Moment.AtOperation(name, number(call, "op"), part);
    }

    private static CallPart part(RulePart text) {
        return switch (text.text()) {
            case "enter" -> CallPart.ENTER;
            case "mid" -> CallPart.MID;
            case "exit" -> CallPart.EXIT;
            default -> throw text.refused("'" + text.text() + "' is no part of a call; allowed: enter mid exit");
        };
    }

    private Moment event(RulePart value) {
        int plus = value.indexOf("+");
        RulePart event = plus < 0 ? value : value.before(plus);
        long afterNs = plus < 0 ? 0 : TargetParser.duration(value.after(plus + 1), "ev");
        for (Moment.Event each : Moment.Event.values()) {
            RulePart rank = event.inside(each.word());
            if (each.isOfRank() && rank != null) {
                return new Moment.AtEvent(each, TargetParser.rank(rank, size), afterNs);
            }
            if (!each.isOfRank() && event.text().equals(each.word())) {
                return new Moment.AtEvent(each, PlannedFault.NO_RANK, afterNs);
            }
        }
        throw event.refused(
                "unknown event '" + event.text() + "'; known: dead(R) joined(R) revoked agreed, with +5ms for later");
    }
}
