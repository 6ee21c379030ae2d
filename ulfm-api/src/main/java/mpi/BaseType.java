package mpi;

/** The basic datatypes of the Java bindings. */
enum BaseType {
    BYTE(new ByteElements()),
    CHAR(new CharElements()),
    SHORT(new ShortElements()),
    BOOLEAN(new BooleanElements()),
    INT(new IntElements()),
    LONG(new LongElements()),
    FLOAT(new FloatElements()),
    DOUBLE(new DoubleElements());

    final Elements elements;

    BaseType(Elements elements) {
        this.elements = elements;
    }
}
