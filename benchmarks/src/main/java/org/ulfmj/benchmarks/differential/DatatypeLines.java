package org.ulfmj.benchmarks.differential;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import mpi.Comm;
import mpi.Datatype;
import mpi.DoubleInt;
import mpi.MPI;
import mpi.Op;
import mpi.ShortInt;
import mpi.Status;

/**
 * Prints what package mpi says about generated datatypes and about reductions of pairs: each rank writes lines to the
 * file DIRECTORY/RANK, in the form in which {@code datatypes.c} writes them with another MPI.
 * {@code benchmarks/differential} compares both.
 */
public final class DatatypeLines {
    private static final int TYPES = 2000;
    private static final int ROOM = 4096;
    private static final int PAIRS = 50;

    private final PrintWriter out;
    private int state;

    private DatatypeLines(PrintWriter out, int seed) {
        this.out = out;
        this.state = seed;
    }

    public static void main(String[] args) throws IOException {
        String[] arguments = MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        try (PrintWriter out =
                new PrintWriter(Path.of(arguments[0], Integer.toString(rank)).toFile())) {
            DatatypeLines lines = new DatatypeLines(out, rank + 1);
            for (int i = 0; i < TYPES; i++) {
                lines.oneType(i);
            }
            lines.pairs(MPI.MINLOC, "minloc");
            lines.pairs(MPI.MAXLOC, "maxloc");
        }
        MPI.Finalize();
    }

    private int draw(int below) {
        state = state * 1664525 + 1013904223;
        return (state >>> 8) % below;
    }

    /** A datatype, and the size in bytes of the basic type that it is made of; 8 for complex, 1 for a struct. */
    private record Typed(Datatype type, int base) {}

    private Typed make(int depth) {
        if (depth == 0) {
            return switch (draw(6)) {
                case 0 -> new Typed(MPI.BYTE, 1);
                case 1 -> new Typed(MPI.SHORT, 2);
                case 2 -> new Typed(MPI.INT, 4);
                case 3 -> new Typed(MPI.DOUBLE, 8);
                case 4 -> new Typed(MPI.DOUBLE_COMPLEX, 8);
                default -> new Typed(MPI.LONG, 8);
            };
        }
        Typed old = make(depth - 1);
        int count = 1 + draw(3);
        int length = 1 + draw(3);
        int stride = draw(6);
        int[] lengths = new int[count];
        int[] places = new int[count];
        switch (draw(7)) {
            case 0:
                return new Typed(Datatype.createContiguous(count, old.type), old.base);
            case 1:
                return new Typed(Datatype.createVector(count, length, stride, old.type), old.base);
            case 2:
                return new Typed(Datatype.createHVector(count, length, 1 + draw(90), old.type), old.base);
            case 3:
                for (int i = 0; i < count; i++) {
                    lengths[i] = 1 + draw(3);
                    places[i] = draw(6);
                }
                return new Typed(Datatype.createIndexed(lengths, places, old.type), old.base);
            case 4:
                for (int i = 0; i < count; i++) {
                    lengths[i] = 1 + draw(3);
                    places[i] = (i == 0 ? 0 : places[i - 1]) + draw(30);
                }
                return new Typed(Datatype.createHIndexed(lengths, places, old.type), old.base);
            case 5:
                Datatype[] types = new Datatype[count];
                for (int i = 0; i < count; i++) {
                    types[i] = make(draw(depth)).type;
                    lengths[i] = 1 + draw(2);
                    places[i] = (i == 0 ? 0 : places[i - 1]) + draw(40);
                    // No block may begin before the first one; datatypes.c gives the reason.
                    places[i] = Math.max(places[i], places[0] + lowerBytes(types[0]) - lowerBytes(types[i]));
                }
                return new Typed(Datatype.createStruct(lengths, places, types), 1);
            default:
                int lower = 4 * (draw(4) - 1);
                return new Typed(Datatype.createResized(old.type, lower, 4 * (1 + draw(14))), old.base);
        }
    }

    /** Returns a struct of one item of the type; its lower bound and extent are in bytes. */
    private static Datatype inBytes(Datatype type) {
        return Datatype.createStruct(new int[] {1}, new int[] {0}, new Datatype[] {type});
    }

    private static int lowerBytes(Datatype type) {
        return inBytes(type).getLb();
    }

    private void oneType(int number) {
        Typed typed = make(1 + draw(3));
        Datatype type = typed.type;
        // The bounds of the struct around the type are in bytes; they decide whether two items are packed below.
        Datatype inBytes = inBytes(type);
        type.commit();
        if (type.getSize() == 0) {
            out.print("type " + number + " size 0\n");
            return;
        }
        out.print("type " + number + " size " + type.getSize() + " lb " + type.getLb() + " extent " + type.getExtent()
                + " true lb " + type.getTrueLb() + " true extent " + type.getTrueExtent());
        int size = inBytes.getSize();
        int trueLower = inBytes.getTrueLb();
        int extent = inBytes.getExtent();
        if (size > 0
                && trueLower >= 0
                && extent >= 0
                && trueLower + inBytes.getTrueExtent() + extent <= ROOM
                && 2 * size <= ROOM) {
            ByteBuffer memory = ByteBuffer.allocate(ROOM);
            for (int i = 0; i < ROOM; i++) {
                memory.put(i, (byte) (i * 31 + i / 256));
            }
            byte[] packed = new byte[ROOM];
            int position = MPI.COMM_SELF.pack(memory, 2, type, packed, 0);
            int hash = 17;
            for (int i = 0; i < position; i++) {
                hash = hash * 31 + (packed[i] & 0xFF);
            }
            out.print(String.format(Locale.ROOT, " packed %d %08x elements", position, hash));
            for (int length = 0; length <= 64; length += 4) {
                Status status =
                        MPI.COMM_SELF.sendRecv(new byte[64], length, MPI.BYTE, 0, 0, packed, 64, MPI.BYTE, 0, 0);
                int elements = status.getElements(type);
                out.print(" " + (elements == MPI.UNDEFINED ? -1 : elements));
            }
        }
        out.print("\n");
    }

    private void pairs(Op op, String name) {
        ByteBuffer a = MPI.newByteBuffer(16 * PAIRS);
        ByteBuffer b = MPI.newByteBuffer(16 * PAIRS);
        ByteBuffer c = MPI.newByteBuffer(8 * PAIRS);
        ByteBuffer d = MPI.newByteBuffer(8 * PAIRS);
        for (int i = 0; i < PAIRS; i++) {
            drawDouble(MPI.doubleInt.getData(a, i));
            drawDouble(MPI.doubleInt.getData(b, i));
            drawShort(MPI.shortInt.getData(c, i));
            drawShort(MPI.shortInt.getData(d, i));
        }
        Comm.reduceLocal(a, b, PAIRS, MPI.DOUBLE_INT, op);
        Comm.reduceLocal(c, d, PAIRS, MPI.SHORT_INT, op);
        for (int i = 0; i < PAIRS; i++) {
            DoubleInt.Data first = MPI.doubleInt.getData(b, i);
            ShortInt.Data second = MPI.shortInt.getData(d, i);
            out.print(String.format(
                    Locale.ROOT,
                    "pairs %s %d: %.1f %d, %d %d%n",
                    name,
                    i,
                    first.getValue(),
                    first.getIndex(),
                    second.getValue(),
                    second.getIndex()));
        }
    }

    private void drawDouble(DoubleInt.Data pair) {
        pair.putValue(draw(4) - 1.5);
        pair.putIndex(draw(5));
    }

    private void drawShort(ShortInt.Data pair) {
        pair.putValue((short) ((draw(4) - 2) * 300));
        pair.putIndex(draw(5));
    }
}
