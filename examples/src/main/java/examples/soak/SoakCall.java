package examples.soak;

/** The present action of a rank, as its status shows it: a call of MPI, or the time before, between or after calls. */
enum SoakCall {
    STARTING("before the first call"),
    WORKING("between calls"),
    SEND("send"),
    S_SEND("sSend"),
    RECV("recv"),
    RECV_ANY_SOURCE("recv from any source"),
    PROBE("probe"),
    SEND_RECV("sendRecv"),
    SEND_RECV_REPLACE("sendRecvReplace"),
    I_SEND("iSend"),
    IS_SEND("isSend"),
    I_RECV("iRecv"),
    CANCEL("cancel"),
    WAIT("waitFor"),
    WAIT_ALL("waitAll"),
    WAIT_ANY("waitAny"),
    WAIT_SOME("waitSome"),
    TEST_ALL("testAll"),
    TEST_ANY("testAny"),
    BARRIER("barrier"),
    BCAST("bcast"),
    GATHER("gather"),
    SCATTER("scatter"),
    ALL_GATHER("allGather"),
    ALL_GATHERV("allGatherv"),
    ALL_TO_ALL("allToAll"),
    REDUCE("reduce"),
    ALL_REDUCE("allReduce"),
    REDUCE_SCATTER("reduceScatterBlock"),
    SCAN("scan"),
    EX_SCAN("exScan"),
    DUP("dup"),
    SPLIT("split"),
    CREATE("create"),
    FREE("free"),
    REVOKE("revoke"),
    ACK_FAILED("ackFailed"),
    AGREE("agree"),
    SHRINK("shrink"),
    FINALIZE("Finalize"),
    ENDED("after Finalize");

    private final String text;

    SoakCall(String text) {
        this.text = text;
    }

    /** The name of the call, or words for the time outside of calls. */
    @Override
    public String toString() {
        return text;
    }
}
